<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\Schema;

/** The answers to changes, by their keys. They are kept for good: a device may repeat a change after any time. */
return new class extends Migration
{
    public function up(): void
    {
        Schema::connection(config('voltdesk.connection'))->create('voltdesk_changes', function (Blueprint $table): void {
            // SHA-256 of sender and key: a column that ignores case would take two keys for one
            $table->char('name', 64)->primary();
            $table->char('fingerprint', 64);
            $table->unsignedSmallInteger('status')->nullable();
            $table->longText('body')->nullable();
            $table->timestamp('created_at')->nullable();
        });
    }

    public function down(): void
    {
        Schema::connection(config('voltdesk.connection'))->dropIfExists('voltdesk_changes');
    }
};
