<?php

declare(strict_types=1);

require __DIR__ . '/verify.php';

while (($line = fgets(STDIN)) !== false) {
    $fields = array_map(base64_decode(...), explode("\t", rtrim($line, "\n")));
    [$body, $scheme, $secrets, $signature, $id, $timestamp, $now] = $fields;
    $list = explode("\n", $secrets);
    $isBelieved = $scheme === 'v1'
        ? verify($body, $signature, $list)
        : verifyStandard($body, $id, $timestamp, $signature, $list, (int) $now);
    echo $isBelieved ? "true\n" : "false\n";
}
