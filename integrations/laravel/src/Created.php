<?php

namespace Voltdesk\Laravel;

use Illuminate\Database\Eloquent\Model;

/** The records that the current request has created. */
final class Created
{
    /** @var Model[] */
    private array $models = [];

    public function note(Model $model): void
    {
        $this->models[] = $model;
    }

    public function forget(): void
    {
        $this->models = [];
    }

    /** The id of the first one of a model. Null if none was seen. */
    public function idOf(string $model): int|string|null
    {
        foreach ($this->models as $created) {
            if ($created instanceof $model) {
                return $created->getKey();
            }
        }

        return null;
    }
}
