<?php

return [
    // The models of the kinds, by the word in their addresses: POST /api/create-{word}, GET /api/get-single-{word}/{id}.
    'kinds' => [
        'generator' => 'App\Models\Generator',
        'sp' => 'App\Models\SolarPanel',
        'gti' => 'App\Models\GridTieInverter',
        'st' => 'App\Models\StreetLight',
        'ups' => 'App\Models\Ups',
        'partner' => 'App\Models\Partner',
        'about' => 'App\Models\About',
        'cert' => 'App\Models\Certification',
        'slider' => 'App\Models\Slider',
        'project' => 'App\Models\Project',
        'site-meta' => 'App\Models\SiteMeta',
    ],

    // The prefix of these addresses.
    'prefix' => 'api',

    // Middleware of GET /api/changes/{key}. It has to sign people in as the changes themselves do.
    'middleware' => ['api', 'auth:sanctum'],

    // The database connection of the models. Null: the default one. Keys are kept in the transaction of their change.
    'connection' => null,

    // Columns that change by themselves, such as a count of views. They are no part of a version.
    'ignored' => [],

    // Bytes of a whole request, if a proxy takes less than PHP (`post_max_size`). Null: as PHP.
    'max_request_bytes' => null,
];
