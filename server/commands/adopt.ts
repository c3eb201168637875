import { adoptFiles } from '../stores/sql/files-owner.ts';
import { type Kept, addressOf, inPassingFolder, openInstallation, owningOf } from './installation.ts';

/**
 * Makes the stored files those of the configured database, which is created if there is none. For an installation whose database and
 * files were parted, when no other server uses these files. Deletes nothing. Returns the output. Throws if a server is running.
 */
export async function adopt(settings: Kept): Promise<string> {
  const installation = await openInstallation(addressOf(settings), { isThere: false, uploadsUrl: settings.uploadsUrl });
  try {
    return await inPassingFolder(async (folder) => {
      const owning = owningOf(installation, installation.uploads ?? folder);
      const { marker } = owning.files;
      if (marker === undefined) return `The files are in the database ${installation.name}, and so always its own.`;
      await adoptFiles(owning);
      return `${marker.name} now has the files of the database ${installation.name}. The server can be started. It keeps files that no record names for 30 days.`;
    });
  } finally {
    await installation.close();
  }
}
