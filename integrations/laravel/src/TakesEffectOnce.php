<?php

namespace Voltdesk\Laravel;

use Closure;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Http\Response as PlainResponse;
use Illuminate\Http\UploadedFile;
use RuntimeException;
use Symfony\Component\HttpFoundation\Response;
use Throwable;

/**
 * Makes a change with an `Idempotency-Key` take effect once, and one with `If-Match` only on that version of its record. A change,
 * its check and its kept answer are one transaction: if the worker dies, none of them has happened.
 */
final class TakesEffectOnce
{
    public function __construct(private KeptAnswers $answers, private Records $records, private Created $created)
    {
    }

    public function handle(Request $request, Closure $next): Response
    {
        $call = Call::of($request);
        if ($call === null) {
            return $next($request);
        }
        if ($call->op === 'read') {
            return $this->versioned($call, $next($request));
        }
        $key = $request->headers->get('Idempotency-Key');
        if ($key !== null && ! preg_match('/^[\w.:-]{8,128}$/D', $key)) {
            return self::refusal(400, 'The Idempotency-Key must be 8 to 128 letters, digits, or one of . _ : -');
        }

        return $key === null ? $this->change($request, $call, $next, null) : $this->once($request, $call, $next, $key);
    }

    private function once(Request $request, Call $call, Closure $next, string $key): Response
    {
        $name = $this->answers->nameOf($request, $key);
        $fingerprint = self::fingerprintOf($request);

        return $this->repeated($name, $fingerprint)
            ?? $this->change($request, $call, $next, [$name, $fingerprint])
            ?? $this->repeated($name, $fingerprint)
            ?? self::inFlight();
    }

    /** The kept answer under a key, or null. */
    private function repeated(string $name, string $fingerprint): ?Response
    {
        $kept = $this->answers->find($name);
        if ($kept === null || hash_equals(trim($kept->fingerprint), $fingerprint)) {
            return $kept === null ? null : $this->answers->repeat($kept);
        }

        return self::refusal(422, 'This Idempotency-Key was already used for another change.', ['code' => 'idempotency-key-reused']);
    }

    /** Makes a change and keeps its answer, or neither. Null if its key is taken. */
    private function change(Request $request, Call $call, Closure $next, ?array $key): ?Response
    {
        $database = $this->answers->connection();
        $database->beginTransaction();
        try {
            // first of all: from here on the database is written, and nobody else makes this change
            if ($key !== null && ! $this->answers->take(...$key)) {
                $database->rollBack();

                return null;
            }
            $answer = $this->guarded($request, $call) ?? $this->made($request, $call, $next);
            if (! $answer->isSuccessful()) {
                $database->rollBack();

                return $answer;
            }
            if ($key !== null) {
                $this->answers->keep($key[0], $answer);
            }
            $database->commit();

            return $answer;
        } catch (Throwable $error) {
            $database->rollBack();
            throw $error;
        }
    }

    /** The refusal of a change on another version than the record has. Null if it may be made. */
    private function guarded(Request $request, Call $call): ?Response
    {
        $seen = self::versionsIn($request->headers->get('If-Match'));
        if ($seen === null) {
            return null;
        }
        [$kind, $id] = $call->kind === null ? $this->records->recordIn($seen[0] ?? '') ?? [null, null] : [$call->kind, $call->id];
        if (! isset(config('voltdesk.kinds')[$kind])) {
            return self::changedSince('');
        }
        $this->records->lock($kind, $id);
        $record = $this->records->read($request, $kind, $id);
        // a record that is gone is the back end's to refuse
        if ($record === null) {
            return null;
        }
        if ($call->op === 'delete-image' && ! in_array($call->id, array_map('strval', array_column(self::inside($record)['images'] ?? [], 'id')), true)) {
            return self::refusal(404, 'This image no longer exists.');
        }
        $version = $this->records->versionOf($record, $kind, $id);

        return in_array($version, $seen, true) ? null : self::changedSince($version);
    }

    /** Has the back end make the change, and adds the record's id and version to its answer. */
    private function made(Request $request, Call $call, Closure $next): Response
    {
        $this->created->forget();
        $answer = $next($request);
        if (! $answer->isSuccessful()) {
            return $answer;
        }
        [$kind, $id] = [$call->kind, $call->id];
        $known = [];
        if ($call->op === 'create') {
            $id = $this->created->idOf(config('voltdesk.kinds')[$kind])
                ?? throw new RuntimeException("voltdesk: no new $kind was seen. Create it through the model in config/voltdesk.php, with its events.");
            $known = ['id' => $id];
        } elseif ($call->op === 'delete-image') {
            $seen = self::versionsIn($request->headers->get('If-Match'));
            [$kind, $id] = $this->records->recordIn($seen[0] ?? '') ?? [null, null];
        }
        $record = $kind === null || $call->op === 'delete' ? null : $this->records->read($request, $kind, $id === null ? null : (string) $id);
        if ($record !== null) {
            $known['version'] = $this->records->versionOf($record, $kind, $id === null ? null : (string) $id);
        }
        $told = json_decode((string) $answer->getContent(), true);

        return new PlainResponse(
            json_encode([...(is_array($told) ? $told : []), ...$known]),
            200,
            ['Content-Type' => 'application/json']
        );
    }

    /** Adds its version to a record that is read. */
    private function versioned(Call $call, Response $answer): Response
    {
        $record = $this->records->in($answer);
        if ($record === null) {
            return $answer;
        }
        $version = $this->records->versionOf($record, $call->kind, $call->id);
        if (self::inside($record) === $record) {
            $record['version'] = $version;
        } else {
            $record['data']['version'] = $version;
        }
        $answer->setContent(json_encode($record));
        $answer->headers->set('ETag', "\"$version\"");

        return $answer;
    }

    /** The record itself, where the back end wraps it (`{data: …}`). */
    private static function inside(array $record): array
    {
        return is_array($record['data'] ?? null) && ! isset($record['id']) ? $record['data'] : $record;
    }

    /** The versions that a header names. Null if it takes any. */
    private static function versionsIn(?string $ifMatch): ?array
    {
        if ($ifMatch === null || trim($ifMatch) === '*') {
            return null;
        }

        return array_map(fn ($tag) => preg_replace('~^(W/)?"(.*)"$~', '$2', trim($tag)), explode(',', $ifMatch));
    }

    /** What a key stands for: address, version, texts, and the bytes of its files in their order. */
    private static function fingerprintOf(Request $request): string
    {
        $texts = $request->input();
        ksort($texts);
        $files = [];
        foreach ($request->allFiles() as $field => $some) {
            foreach (is_array($some) ? $some : [$some] as $file) {
                $files[] = [$field, $file instanceof UploadedFile && $file->isValid() ? hash_file('sha256', $file->getPathname()) : null];
            }
        }
        $parts = [$request->method(), $request->path(), $request->headers->get('If-Match'), $texts, $files];

        return hash('sha256', json_encode($parts, JSON_INVALID_UTF8_SUBSTITUTE));
    }

    public static function inFlight(): JsonResponse
    {
        return self::refusal(409, 'This change is being carried out.', ['code' => 'in-flight']);
    }

    private static function changedSince(string $version): JsonResponse
    {
        return self::refusal(412, 'This record was changed by someone else in the meantime.', ['code' => 'version-mismatch', 'version' => $version]);
    }

    private static function refusal(int $status, string $message, array $more = []): JsonResponse
    {
        return new JsonResponse(['message' => $message, ...$more], $status);
    }
}
