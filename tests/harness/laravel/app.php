<?php

/**
 * A real Laravel application of the contract, as small as one can be: Debian's packages of the framework, Eloquent on SQLite,
 * files in a folder. With `LARAVEL_WITH_VOLTDESK=1` it uses the middleware of `integrations/laravel`.
 */

use App\Http\Controllers\RecordController;
use App\Models\AccessToken;
use App\Models\SiteMeta;
use App\Models\User;
use Illuminate\Auth\AuthenticationException;
use Illuminate\Config\Repository;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Database\Events\TransactionCommitted;
use Illuminate\Foundation\Application;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Auth;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Event;
use Illuminate\Support\Facades\Facade;
use Illuminate\Support\Facades\Hash;
use Illuminate\Support\Facades\Route;
use Illuminate\Support\Str;
use Illuminate\Validation\ValidationException;

require '/usr/share/php/Illuminate/autoload.php';
require __DIR__ . '/Fate.php';
require __DIR__ . '/models.php';
require __DIR__ . '/kinds.php';
require __DIR__ . '/RecordController.php';
$package = __DIR__ . '/../../../integrations/laravel';
spl_autoload_register(function (string $class) use ($package): void {
    $prefix = 'Voltdesk\\Laravel\\';
    if (str_starts_with($class, $prefix)) {
        require "$package/src/" . substr($class, strlen($prefix)) . '.php';
    }
});

final class HttpKernel extends Illuminate\Foundation\Http\Kernel
{
    protected $middleware = [
        Illuminate\Foundation\Http\Middleware\ValidatePostSize::class,
        Illuminate\Foundation\Http\Middleware\TrimStrings::class,
        Illuminate\Foundation\Http\Middleware\ConvertEmptyStringsToNull::class,
    ];
    protected $middlewareGroups = ['api' => [Illuminate\Routing\Middleware\SubstituteBindings::class]];
    protected $routeMiddleware = ['auth' => Illuminate\Auth\Middleware\Authenticate::class];
    // configuration comes from this file
    protected $bootstrappers = [
        Illuminate\Foundation\Bootstrap\HandleExceptions::class,
        Illuminate\Foundation\Bootstrap\RegisterProviders::class,
        Illuminate\Foundation\Bootstrap\BootProviders::class,
    ];
}

function laravel(): Application
{
    $data = getenv('LARAVEL_DATA');
    $isKeyed = getenv('LARAVEL_WITH_VOLTDESK') === '1';
    $app = new Application($data);
    $app->instance('path.public', "$data/public");
    $app->instance('config', new Repository([
        'app' => [
            'env' => 'production', 'debug' => getenv('LARAVEL_DEBUG') === '1', 'timezone' => 'UTC', 'locale' => 'en', 'fallback_locale' => 'en',
            'key' => str_repeat('k', 32), 'cipher' => 'AES-256-CBC',
            'providers' => [
                Illuminate\Auth\AuthServiceProvider::class, Illuminate\Cache\CacheServiceProvider::class,
                Illuminate\Cookie\CookieServiceProvider::class, Illuminate\Database\DatabaseServiceProvider::class,
                Illuminate\Encryption\EncryptionServiceProvider::class, Illuminate\Filesystem\FilesystemServiceProvider::class,
                Illuminate\Foundation\Providers\FoundationServiceProvider::class, Illuminate\Hashing\HashServiceProvider::class,
                Illuminate\Pipeline\PipelineServiceProvider::class, Illuminate\Session\SessionServiceProvider::class,
                Illuminate\Translation\TranslationServiceProvider::class, Illuminate\Validation\ValidationServiceProvider::class,
                Illuminate\View\ViewServiceProvider::class,
                ...($isKeyed ? [Voltdesk\Laravel\VoltdeskServiceProvider::class] : []),
            ],
        ],
        'auth' => [
            'defaults' => ['guard' => 'api', 'passwords' => 'users'], 'guards' => ['api' => ['driver' => 'bearer']],
            'providers' => ['users' => ['driver' => 'eloquent', 'model' => User::class]],
        ],
        'cache' => ['default' => 'array', 'stores' => ['array' => ['driver' => 'array']]],
        'database' => [
            'default' => 'sqlite',
            'connections' => ['sqlite' => ['driver' => 'sqlite', 'database' => "$data/database.sqlite", 'prefix' => '', 'foreign_key_constraints' => true]],
        ],
        'hashing' => ['driver' => 'bcrypt', 'bcrypt' => ['rounds' => 4]],
        'logging' => ['default' => 'stderr', 'channels' => ['stderr' => ['driver' => 'errorlog']]],
        'session' => ['driver' => 'array', 'cookie' => 'laravel_session', 'lifetime' => 120, 'expire_on_close' => false, 'lottery' => [0, 1], 'path' => '/'],
        'view' => ['paths' => [], 'compiled' => "$data/views"],
        'filesystems' => ['default' => 'local', 'disks' => ['local' => ['driver' => 'local', 'root' => $data]]],
        'voltdesk' => ['middleware' => ['api', 'auth']],
    ]));
    // as LoadConfiguration does
    $app->detectEnvironment(fn () => 'production');
    date_default_timezone_set('UTC');
    Facade::setFacadeApplication($app);
    $app->singleton(Illuminate\Contracts\Http\Kernel::class, HttpKernel::class);
    $app->singleton(ExceptionHandler::class, Illuminate\Foundation\Exceptions\Handler::class);
    $app->booted(fn () => routes($isKeyed));

    return $app;
}

function routes(bool $isKeyed): void
{
    Auth::viaRequest('bearer', function (Request $request) {
        $found = AccessToken::query()->where('token', hash('sha256', (string) $request->bearerToken()))->first();

        return $found === null ? null : User::find($found->user_id);
    });
    DB::listen(fn () => Fate::step());
    Event::listen(TransactionCommitted::class, fn () => Fate::step());
    Route::prefix('api')->middleware('api')->group(function () use ($isKeyed): void {
        Route::post('auth/login', function (Request $request) {
            $user = User::query()->where('email', $request->input('email'))->first();
            if ($user === null || ! Hash::check((string) $request->input('password'), $user->password)) {
                throw ValidationException::withMessages(['email' => ['These credentials do not match our records.']]);
            }
            $token = Str::random(40);
            AccessToken::create(['user_id' => $user->id, 'token' => hash('sha256', $token)]);

            return ['user' => $user, 'token' => $token];
        });
        Route::middleware(['auth', ...($isKeyed ? ['voltdesk'] : [])])->group(function (): void {
            Route::get('user', fn (Request $request) => $request->user());
            foreach (array_keys(kinds()) as $word) {
                Route::get("get-{$word}s", fn () => app(RecordController::class)->index($word));
                Route::post("create-$word", fn (Request $request) => app(RecordController::class)->store($request, $word));
                Route::get("get-single-$word/{id}", fn (string $id) => app(RecordController::class)->show($word, $id));
                Route::post("get-single-$word/{id}", fn (Request $request, string $id) => app(RecordController::class)->update($request, $word, $id));
                Route::post("delete-$word/{id}", fn (string $id) => app(RecordController::class)->destroy($word, $id));
            }
            Route::post('delete-image/{id}', [RecordController::class, 'destroyImage']);
            Route::get('site-meta', [RecordController::class, 'siteMeta']);
            Route::post('site-meta', [RecordController::class, 'saveSiteMeta']);
            Route::get('get-generators-series', fn () => ['Series A', 'Series B']);
            Route::get('get-all-ups-types', fn () => ['Online', 'Offline', 'Line Interactive']);
            Route::post('get-gti-brands', fn () => ['Growatt', 'Solis']);
        });
    });
}
