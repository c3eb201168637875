<?php

namespace Voltdesk\Laravel;

use Illuminate\Database\Connection;
use Illuminate\Database\QueryException;
use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Illuminate\Support\Facades\DB;

/** The answers to changes, by sender and key. Only successes are kept, in the transaction of their change. */
final class KeptAnswers
{
    public function connection(): Connection
    {
        return DB::connection(config('voltdesk.connection'));
    }

    /** Which sender's key this is. */
    public function nameOf(Request $request, string $key): string
    {
        return hash('sha256', json_encode([(string) optional($request->user())->getAuthIdentifier(), $key]));
    }

    public function find(string $name): ?object
    {
        return $this->connection()->table('voltdesk_changes')->useWritePdo()->where('name', $name)->first();
    }

    /**
     * Takes a key for the rest of the transaction. A second request with it waits until the first one has ended. False if it is
     * taken: by a change that has taken effect meanwhile, or by one that takes longer than the database waits.
     */
    public function take(string $name, string $fingerprint): bool
    {
        try {
            return $this->connection()->table('voltdesk_changes')->insert(['name' => $name, 'fingerprint' => $fingerprint, 'created_at' => now()]);
        } catch (QueryException) {
            return false;
        }
    }

    /** Keeps the answer under a key that was taken. */
    public function keep(string $name, Response $answer): void
    {
        $row = ['status' => $answer->getStatusCode(), 'body' => $answer->getContent()];
        $this->connection()->table('voltdesk_changes')->where('name', $name)->update($row);
    }

    /** True if nothing was made under a key, and nothing is being made: whoever takes it would have to wait. */
    public function isFree(string $name): bool
    {
        $this->connection()->beginTransaction();
        try {
            return $this->take($name, '');
        } finally {
            $this->connection()->rollBack();
        }
    }

    /** The answer as it was given. */
    public function repeat(object $row): Response
    {
        return new Response($row->body, (int) $row->status, ['Content-Type' => 'application/json', 'Idempotent-Replayed' => 'true']);
    }
}
