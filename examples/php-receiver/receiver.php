<?php
declare(strict_types=1);

function is_genuine(string $body, string $header, string $secret): bool
{
    if (!preg_match('/(?:^|,)t=(\d{1,12})(?:,|$)/', $header, $time) || abs(time() - (int) $time[1]) > 300) {
        return false;
    }
    $expected = hash_hmac('sha256', $time[1] . '.' . $body, $secret);
    preg_match_all('/(?:^|,)v1=([0-9a-f]{64})(?=,|$)/', $header, $given);
    foreach ($given[1] as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

$body = file_get_contents('php://input');
if (!is_genuine($body, $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? '', getenv('WEBHOOK_SECRET'))) {
    http_response_code(401);
    return;
}
http_response_code(204);
$event = json_decode($body, true);
$order = $event['context']['order']['order_number'];
file_put_contents('php://stderr', "php: {$event['ref']} of order $order, {$_SERVER['HTTP_WEBHOOK_ID']}\n");
