<?php

/**
 * What a test has planned for this back end, in `habits.json` of its data folder. `diesAt`: the worker dies (SIGKILL) after so many
 * steps of the next POST: queries, stored files, commits. `reencodes`: pictures are encoded anew when they are stored.
 */
final class Fate
{
    private static int $steps = 0;
    private static ?array $habits = null;

    public static function has(string $habit): bool
    {
        return (self::habits()[$habit] ?? false) === true;
    }

    public static function step(): void
    {
        self::$steps += 1;
        if (($_SERVER['REQUEST_METHOD'] ?? '') !== 'POST' || self::$steps !== (self::habits()['diesAt'] ?? null)) {
            return;
        }
        file_put_contents(self::file(), json_encode(array_diff_key(self::habits(), ['diesAt' => true])));
        posix_kill(getmypid(), SIGKILL);
    }

    private static function habits(): array
    {
        return self::$habits ??= json_decode((string) @file_get_contents(self::file()), true) ?? [];
    }

    private static function file(): string
    {
        return getenv('LARAVEL_DATA') . '/habits.json';
    }
}
