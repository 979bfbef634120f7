<?php

declare(strict_types=1);

require __DIR__ . '/verify.php';

$secrets = array_filter(explode(',', (string) getenv('WEBHOOK_SECRET')), fn ($secret) => $secret !== '');

function connect(): PDO
{
    $database = new PDO('sqlite:' . (getenv('DATABASE') ?: sys_get_temp_dir() . '/plataforma-webhooks.db'));
    $database->exec('PRAGMA busy_timeout = 9000');
    $database->exec('CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY)');
    $database->exec(
        'CREATE TABLE IF NOT EXISTS objects (id TEXT PRIMARY KEY, sequence INTEGER NOT NULL, status TEXT NOT NULL)'
    );
    return $database;
}

/** Returns true if the statement changed a row. */
function changes(PDO $database, string $sql, array $values): bool
{
    $statement = $database->prepare($sql);
    $statement->execute($values);
    return $statement->rowCount() > 0;
}

/**
 * Applies each event once and never an older one. Your own writes for the event belong into this transaction.
 */
function receive(array $notification): string
{
    ['event' => $event, 'data' => $data] = $notification;
    if ($data['isTest'] ?? false) {
        return 'test';
    }
    $database = connect();
    $database->exec('BEGIN IMMEDIATE');
    $keepEvent = 'INSERT INTO events (id) VALUES (?) ON CONFLICT DO NOTHING';
    $keepNewest = <<<'SQL'
        INSERT INTO objects (id, sequence, status) VALUES (?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, status = excluded.status
        WHERE objects.sequence < excluded.sequence
        SQL;
    if (!changes($database, $keepEvent, [$notification['eventId']])) {
        $outcome = 'duplicate';
    } elseif (!changes($database, $keepNewest, [$data['id'], $notification['sequence'], $data['status']])) {
        $outcome = 'late';
    } else {
        $outcome = 'new';
        error_log("{$data['id']} is {$data['status']}, says $event");
    }
    $database->exec('COMMIT');
    return $outcome;
}

// Every notification is much smaller than this limit. A longer body is cut: its signature is wrong.
$body = (string) file_get_contents('php://input', length: 1 << 20);
if (!verify($body, $_SERVER['HTTP_X_WEBHOOK_SIGNATURE'] ?? '', $secrets)) {
    http_response_code(401);
    exit("wrong signature\n");
}
try {
    echo receive(json_decode($body, true, 512, JSON_THROW_ON_ERROR)), "\n";
} catch (Throwable $error) {
    error_log((string) $error);
    http_response_code(500);
    echo "try again\n";
}
