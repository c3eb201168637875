<?php

// php -S hands every request to this script
$path = rawurldecode(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
if (str_starts_with($path, '/uploads/')) {
    $file = getenv('LARAVEL_DATA') . '/public/uploads/' . basename($path);
    if (is_file($file)) {
        header('Content-Type: ' . mime_content_type($file));
        readfile($file);
    } else {
        http_response_code(404);
        header('Content-Type: text/plain');
        echo 'Not Found';
    }

    return;
}

require __DIR__ . '/app.php';
$app = laravel();
$kernel = $app->make(Illuminate\Contracts\Http\Kernel::class);
$request = Illuminate\Http\Request::capture();
$response = $kernel->handle($request);
$response->send();
$kernel->terminate($request, $response);
