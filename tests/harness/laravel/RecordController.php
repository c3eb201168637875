<?php

namespace App\Http\Controllers;

use App\Models\Image;
use App\Models\Record;
use App\Models\SiteMeta;
use Fate;
use Illuminate\Http\Request;
use Illuminate\Http\UploadedFile;
use Illuminate\Routing\Controller;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\File;
use Illuminate\Support\Str;

/** The controllers of the contract in one, as somebody writes them who knows nothing of keys and versions. */
class RecordController extends Controller
{
    public function index(string $word): mixed
    {
        [$model, , , , $columns] = kinds()[$word];

        return $model::query()->get($columns);
    }

    public function show(string $word, string $id): mixed
    {
        [$model, , , $hasImages] = kinds()[$word];

        return $hasImages ? $model::with('images')->findOrFail($id) : $model::findOrFail($id);
    }

    public function store(Request $request, string $word): array
    {
        [$model, $texts, $single, $hasImages] = kinds()[$word];
        $request->validate($this->rules($texts, $single, $hasImages, 'required'));
        $record = $model::create($this->cells($request, $texts, $single));
        $this->addImages($request, $record);

        return ['message' => "$word Created Successfully"];
    }

    public function update(Request $request, string $word, string $id): array
    {
        [$model, $texts, $single, $hasImages] = kinds()[$word];
        $record = $model::findOrFail($id);
        $request->validate($this->rules($texts, $single, $hasImages, 'nullable'));
        $replaced = array_filter(array_keys($single), fn ($field) => $request->hasFile($field));
        $old = array_map(fn ($field) => $record->$field, $replaced);
        $record->update($this->cells($request, $texts, $single));
        $this->addImages($request, $record);
        $this->discard($old);

        return ['message' => "$word Updated Successfully"];
    }

    public function destroy(string $word, string $id): array
    {
        [$model, , $single, $hasImages] = kinds()[$word];
        $record = $model::findOrFail($id);
        $files = array_map(fn ($field) => $record->$field, array_keys($single));
        if ($hasImages) {
            $files = [...$files, ...$record->images->pluck('image')];
            $record->images()->delete();
        }
        $record->delete();
        $this->discard($files);

        return ['message' => "$word Deleted Successfully"];
    }

    public function destroyImage(string $id): array
    {
        $image = Image::findOrFail($id);
        $image->delete();
        $this->discard([$image->image]);

        return ['message' => 'Image Deleted Successfully'];
    }

    public function siteMeta(): mixed
    {
        return SiteMeta::query()->firstOrFail();
    }

    public function saveSiteMeta(Request $request): array
    {
        $request->validate(textRules(SITE_META));
        SiteMeta::query()->firstOrFail()->update($request->only(array_keys(textRules(SITE_META))));

        return ['message' => 'Site Meta Updated Successfully'];
    }

    private function rules(array $texts, array $single, bool $hasImages, string $needed): array
    {
        $files = array_map(fn ($rule) => "$needed|$rule", $single);
        $images = $hasImages ? ['images' => "$needed|array", 'images.*' => 'image|mimes:jpeg,png,jpg,gif|max:5120'] : [];

        return [...textRules($texts), ...$files, ...$images];
    }

    private function cells(Request $request, array $texts, array $single): array
    {
        $cells = $request->only(array_keys(textRules($texts)));
        foreach (array_keys($single) as $field) {
            if ($request->hasFile($field)) {
                $cells[$field] = $this->keep($request->file($field));
            }
        }

        return $cells;
    }

    private function addImages(Request $request, Record $record): void
    {
        foreach ($request->file('images') ?? [] as $file) {
            $record->images()->create(['image' => $this->keep($file)]);
        }
    }

    private function keep(UploadedFile $file): string
    {
        $name = Str::random(40) . '.' . $file->extension();
        $file->move(public_path('uploads'), $name);
        $path = public_path("uploads/$name");
        if (Fate::has('reencodes') && str_ends_with($name, '.png')) {
            imagepng(imagecreatefromstring(file_get_contents($path)), $path, 1);
        }
        Fate::step();

        return $name;
    }

    /** Files go once nothing can bring their record back. */
    private function discard(array $names): void
    {
        DB::afterCommit(fn () => File::delete(array_map(fn ($name) => public_path("uploads/$name"), array_filter($names))));
    }
}
