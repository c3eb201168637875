<?php

use App\Models as M;

/** The kinds of the contract: model, texts, single files, whether they have images, and the columns of their lists. */
function kinds(): array
{
    $catalog = ['catalog' => 'file|mimes:pdf,doc,docx,jpeg,jpg,png'];
    $image = ['image' => 'image|mimes:jpeg,png,jpg,gif|max:5120'];

    return [
        'generator' => [M\Generator::class, ['brand', 'capacity', 'generator_model', 'engine_model', 'alternator_model', 'origin', 'series'], $catalog, true, ['id', 'brand', 'generator_model']],
        'sp' => [M\SolarPanel::class, ['brand', 'capacity', 'model', 'type'], $catalog, true, ['id', 'brand', 'model']],
        'gti' => [M\GridTieInverter::class, ['type', 'brand', 'capacity', 'model'], $catalog, true, ['id', 'brand', 'model']],
        'st' => [M\StreetLight::class, ['brand', 'capacity', 'model', 'origin'], $catalog, true, ['id', 'brand', 'model']],
        'ups' => [M\Ups::class, ['brand', 'capacity', 'model', 'origin', 'type'], $catalog, true, ['id', 'brand', 'model']],
        'partner' => [M\Partner::class, ['name', 'link?'], $image, false, ['id', 'name', 'image']],
        'about' => [M\About::class, ['name'], $image, false, ['id', 'name', 'image']],
        'cert' => [M\Certification::class, ['category', 'name'], $image, false, ['id', 'category', 'name', 'image']],
        'slider' => [M\Slider::class, ['text', 'serial'], $image, false, ['id', 'image', 'text']],
        'project' => [M\Project::class, ['client_name', 'type', 'capacity?', 'project_name', 'description'], $image, true, ['id', 'image', 'project_name']],
    ];
}

/** The texts of a kind, each with its rules. */
function textRules(array $texts): array
{
    $rules = [];
    foreach ($texts as $text) {
        $rules[rtrim($text, '?')] = str_ends_with($text, '?') ? 'nullable|max:255' : 'required|max:255';
    }

    return $rules;
}

const SITE_META = ['title', 'phone', 'email', 'address', 'fb?', 'tw?', 'li?', 'metaTag?'];
