<?php

namespace Voltdesk\Laravel;

use Illuminate\Contracts\Events\Dispatcher;
use Illuminate\Routing\Middleware\SubstituteBindings;
use Illuminate\Routing\Router;
use Illuminate\Support\ServiceProvider;

final class VoltdeskServiceProvider extends ServiceProvider
{
    public function register(): void
    {
        $this->mergeConfigFrom(__DIR__ . '/../config/voltdesk.php', 'voltdesk');
        $this->app->scoped(Created::class);
    }

    public function boot(Router $router, Dispatcher $events): void
    {
        $this->loadMigrationsFrom(__DIR__ . '/../database/migrations');
        $this->publishes([__DIR__ . '/../config/voltdesk.php' => $this->app->configPath('voltdesk.php')], 'voltdesk');
        $events->listen('eloquent.created: *', function (string $_event, array $payload): void {
            $this->app->make(Created::class)->note($payload[0]);
        });
        $router->aliasMiddleware('voltdesk', TakesEffectOnce::class);
        self::beforeBindings($router);
        $router->prefix(config('voltdesk.prefix'))->group(function (Router $router): void {
            $router->get('capabilities', [ProtocolController::class, 'capabilities'])->middleware('api');
            $router->get('changes/{key}', [ProtocolController::class, 'change'])->middleware(config('voltdesk.middleware'));
        });
    }

    /** Puts the middleware after signing in, and before records are looked up: a repeated delete finds none. */
    private static function beforeBindings(Router $router): void
    {
        $place = array_search(SubstituteBindings::class, $router->middlewarePriority, true);
        if ($place !== false && ! in_array(TakesEffectOnce::class, $router->middlewarePriority, true)) {
            array_splice($router->middlewarePriority, $place, 0, [TakesEffectOnce::class]);
        }
    }
}
