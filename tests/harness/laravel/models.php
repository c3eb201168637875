<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\Relations\MorphMany;
use Illuminate\Foundation\Auth\User as Authenticatable;

abstract class Record extends Model
{
    protected $guarded = [];

    public function images(): MorphMany
    {
        return $this->morphMany(Image::class, 'imageable')->orderBy('id');
    }
}

class Generator extends Record
{
}

class SolarPanel extends Record
{
}

class GridTieInverter extends Record
{
}

class StreetLight extends Record
{
}

class Ups extends Record
{
    protected $table = 'ups';
}

class Partner extends Record
{
}

class About extends Record
{
}

class Certification extends Record
{
}

class Slider extends Record
{
}

class Project extends Record
{
}

class SiteMeta extends Record
{
}

class Image extends Model
{
    protected $guarded = [];
    protected $visible = ['id', 'image'];
    public $timestamps = false;
}

class User extends Authenticatable
{
    protected $guarded = [];
    protected $hidden = ['password'];
}

class AccessToken extends Model
{
    protected $guarded = [];
    public $timestamps = false;
}
