<?php

namespace Voltdesk\Laravel;

use Illuminate\Http\Request;

/** A call of the contract to a record: what it does, and to which one. */
final class Call
{
    private function __construct(
        /** `read`, `create`, `update`, `delete` or `delete-image`. */
        public string $op,
        /** The kind's word in addresses. Null for an image, whose address does not tell it. */
        public ?string $kind = null,
        /** The record's id, or the image's. Null for a create and for site meta. */
        public ?string $id = null
    ) {
    }

    /** Null for a request that is no such call. */
    public static function of(Request $request): ?self
    {
        $path = substr($request->path(), strlen(self::prefix()));
        if (! str_starts_with($request->path(), self::prefix())) {
            return null;
        }
        $isPost = $request->isMethod('POST');
        $call = match (true) {
            $path === 'site-meta' => new self($isPost ? 'update' : 'read', 'site-meta'),
            (bool) preg_match('~^get-single-([\w-]+)/([^/]+)$~', $path, $m) => new self($isPost ? 'update' : 'read', $m[1], $m[2]),
            $isPost && preg_match('~^create-([\w-]+)$~', $path, $m) => new self('create', $m[1]),
            $isPost && preg_match('~^delete-image/([^/]+)$~', $path, $m) => new self('delete-image', null, $m[1]),
            $isPost && preg_match('~^delete-([\w-]+)/([^/]+)$~', $path, $m) => new self('delete', $m[1], $m[2]),
            default => null,
        };
        $isKnown = $call !== null && ($call->kind === null || isset(config('voltdesk.kinds')[$call->kind]));

        return $isKnown ? $call : null;
    }

    /** The address at which a record is read. */
    public static function addressOf(string $kind, ?string $id): string
    {
        return self::prefix() . ($id === null ? $kind : "get-single-$kind/$id");
    }

    private static function prefix(): string
    {
        $prefix = trim(config('voltdesk.prefix'), '/');

        return $prefix === '' ? '' : "$prefix/";
    }
}
