<?php

namespace Voltdesk\Laravel;

use Illuminate\Database\Eloquent\ModelNotFoundException;
use Illuminate\Http\Request;
use Illuminate\Routing\Router;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Exception\NotFoundHttpException;

/**
 * Reads records as the back end itself answers them, and tells their versions. A version names its record, because the contract
 * deletes an image by its id alone: `{kind}.{id}.{hash}`.
 */
final class Records
{
    public function __construct(private Router $router)
    {
    }

    /** The record as its address answers it, without the middleware of that address. Null if there is none. */
    public function read(Request $request, string $kind, ?string $id): ?array
    {
        $asked = Request::create(Call::addressOf($kind, $id), 'GET');
        $asked->headers->replace($request->headers->all());
        $asked->setUserResolver($request->getUserResolver());
        try {
            $route = $this->router->getRoutes()->match($asked);
            $this->router->substituteBindings($route);
            $this->router->substituteImplicitBindings($route);
            $answer = Router::toResponse($asked, $route->run());
        } catch (ModelNotFoundException | NotFoundHttpException) {
            return null;
        }

        return $this->in($answer);
    }

    /** The record in an answer. Null if it holds none. */
    public function in(Response $answer): ?array
    {
        $body = $answer->isSuccessful() ? json_decode((string) $answer->getContent(), true) : null;

        return is_array($body) ? $body : null;
    }

    /** Its version. Columns that change by themselves and signatures of addresses are no part of it. */
    public function versionOf(array $record, string $kind, ?string $id): string
    {
        $hash = hash('sha256', json_encode($this->lasting($record)), true);

        return "$kind.$id." . rtrim(strtr(base64_encode(substr($hash, 0, 16)), '+/', '-_'), '=');
    }

    /** The kind and id in a version, or null. */
    public function recordIn(string $version): ?array
    {
        return preg_match('~^([\w-]+)\.([^.]*)\.[\w-]+$~', $version, $m) ? [$m[1], $m[2] === '' ? null : $m[2]] : null;
    }

    /** Makes others who write it wait for the transaction. On SQLite, the whole database already waits. */
    public function lock(string $kind, ?string $id): void
    {
        $model = config('voltdesk.kinds')[$kind];
        $query = (new $model)->newQueryWithoutScopes();
        if ($id !== null) {
            $query->whereKey($id);
        }
        $query->toBase()->lockForUpdate()->first();
    }

    private function lasting(mixed $value): mixed
    {
        if (is_array($value)) {
            $kept = array_diff_key($value, array_flip(config('voltdesk.ignored')), ['version' => true]);

            return array_map(fn ($member) => $this->lasting($member), $kept);
        }

        return is_string($value) ? preg_replace('~^(https?://[^?]+)\?.*$~s', '$1', $value) : $value;
    }
}
