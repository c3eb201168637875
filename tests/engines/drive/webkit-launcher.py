#!/usr/bin/python3
"""A browser of one WebKit window per tab that keeps its profile, for WebKitWebDriver to drive.

usage: webkit-launcher.py PROFILE_FOLDER SCRIPT_FILE

WebKit's own MiniBrowser forgets its profile as soon as it is automated; this one keeps cookies and storage in the folder. The
script runs in every page before the page's own.
"""
import os
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

folder, script_file = sys.argv[1:3]
with open(script_file, encoding="utf-8") as script:
    FIRST_SCRIPT = script.read()

manager = WebKit2.WebsiteDataManager(
    base_data_directory=os.path.join(folder, "data"),
    base_cache_directory=os.path.join(folder, "cache"),
)
context = WebKit2.WebContext(website_data_manager=manager)
context.set_automation_allowed(True)
cookies = context.get_cookie_manager()
cookies.set_persistent_storage(os.path.join(folder, "cookies.sqlite"), WebKit2.CookiePersistentStorage.SQLITE)


def new_view(_session):
    content = WebKit2.UserContentManager()
    content.add_script(
        WebKit2.UserScript.new(
            FIRST_SCRIPT,
            WebKit2.UserContentInjectedFrames.TOP_FRAME,
            WebKit2.UserScriptInjectionTime.START,
            None,
            None,
        )
    )
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True, user_content_manager=content)
    window = Gtk.Window(default_width=1280, default_height=800)
    window.add(view)
    view.connect("close", lambda _view: window.destroy())
    window.show_all()
    return view


def started(_context, session):
    about = WebKit2.ApplicationInfo()
    about.set_name("webkit-launcher")
    session.set_application_info(about)
    session.connect("create-web-view", new_view)


context.connect("automation-started", started)
Gtk.main()
