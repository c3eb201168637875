<?php

namespace Voltdesk\Laravel;

use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Symfony\Component\HttpFoundation\Response;

/** What this back end can do, and what became of a change. */
final class ProtocolController
{
    public function capabilities(): JsonResponse
    {
        return new JsonResponse([
            'server' => 'voltdesk',
            'idempotencyKeys' => true,
            'versions' => true,
            'changesByKey' => true,
            'limits' => [
                'maxFileBytes' => self::bytes('upload_max_filesize'),
                'maxRequestBytes' => config('voltdesk.max_request_bytes') ?? self::bytes('post_max_size'),
                'maxFilesPerRequest' => (int) ini_get('max_file_uploads'),
            ],
        ]);
    }

    public function change(Request $request, KeptAnswers $answers, string $key): Response
    {
        $name = $answers->nameOf($request, $key);
        $kept = $answers->find($name);
        if ($kept === null && $answers->isFree($name)) {
            return new JsonResponse(['message' => 'No change has been made with this key.'], 404);
        }
        $kept ??= $answers->find($name);

        return $kept === null ? TakesEffectOnce::inFlight() : $answers->repeat($kept);
    }

    /** A size of php.ini, such as `12M`. Zero means no limit. */
    private static function bytes(string $setting): int
    {
        $text = trim((string) ini_get($setting));
        $factor = ['k' => 1024, 'm' => 1024 ** 2, 'g' => 1024 ** 3][strtolower(substr($text, -1))] ?? 1;
        $bytes = (int) $text * $factor;

        return $bytes === 0 ? 1024 ** 3 : $bytes;
    }
}
