<?php

// makes the tables, an administrator and the site's settings
use App\Models\SiteMeta;
use App\Models\User;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\Hash;
use Illuminate\Support\Facades\Schema;

require __DIR__ . '/app.php';
$data = getenv('LARAVEL_DATA');
@mkdir("$data/public/uploads", 0777, true);
@mkdir("$data/bootstrap/cache", 0777, true);
touch("$data/database.sqlite");
$app = laravel();
$app->make(Illuminate\Contracts\Http\Kernel::class)->bootstrap();
foreach (kinds() as [$model, $texts, $single]) {
    Schema::create((new $model)->getTable(), function (Blueprint $table) use ($texts, $single): void {
        $table->id();
        foreach ([...array_keys(textRules($texts)), ...array_keys($single)] as $column) {
            $table->string($column)->nullable();
        }
        $table->timestamps();
    });
}
Schema::create('images', function (Blueprint $table): void {
    $table->id();
    $table->string('image');
    $table->morphs('imageable');
});
Schema::create('users', function (Blueprint $table): void {
    $table->id();
    $table->string('name');
    $table->string('email');
    $table->string('password');
    $table->timestamps();
});
Schema::create('access_tokens', function (Blueprint $table): void {
    $table->id();
    $table->unsignedBigInteger('user_id');
    $table->string('token');
});
Schema::create('site_metas', function (Blueprint $table): void {
    $table->id();
    foreach (array_keys(textRules(SITE_META)) as $column) {
        $table->string($column)->nullable();
    }
    $table->timestamps();
});
User::create(['name' => 'Admin', 'email' => 'admin@example.com', 'password' => Hash::make('password')]);
SiteMeta::create(['title' => 'Power Equipment', 'phone' => '000-0000', 'email' => 'info@example.com', 'address' => 'Main Road 1']);
(require __DIR__ . '/../../../integrations/laravel/database/migrations/2026_11_28_000000_create_voltdesk_changes_table.php')->up();
