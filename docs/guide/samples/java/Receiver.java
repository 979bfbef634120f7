import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;

final class Receiver {
    private static final List<String> SECRETS = List.of(System.getenv("WEBHOOK_SECRET").split(","));
    private static final int PORT = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));

    /** Every notification is much smaller than this limit. A longer body is cut: its signature is wrong. */
    private static final int MOST_BYTES = 1 << 20;

    // In memory, because Java has no database of its own. In your receiver, receive is two statements of one
    // transaction.
    private static final Set<String> events = new HashSet<>();
    private static final Map<String, Long> objects = new HashMap<>();

    /** Applies each event once and never an older one. */
    private static synchronized String receive(Map<?, ?> notification) {
        Map<?, ?> data = (Map<?, ?>) notification.get("data");
        if (Boolean.TRUE.equals(data.get("isTest"))) return "test";
        String eventId = (String) notification.get("eventId");
        String id = (String) data.get("id");
        long sequence = ((Number) notification.get("sequence")).longValue();
        if (events.contains(eventId)) return "duplicate";
        boolean isNew = objects.getOrDefault(id, -1L) < sequence;
        if (isNew) {
            System.out.println(id + " is " + data.get("status") + ", says " + notification.get("event"));
            objects.put(id, sequence);
        }
        events.add(eventId);
        return isNew ? "new" : "late";
    }

    private static void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES);
        String signature = exchange.getRequestHeaders().getFirst("X-Webhook-Signature");
        if (signature == null || !Verify.verify(body, signature, SECRETS)) {
            answer(exchange, 401, "wrong signature");
            return;
        }
        try {
            answer(exchange, 200, receive((Map<?, ?>) Json.read(new String(body, UTF_8))));
        } catch (RuntimeException error) {
            error.printStackTrace();
            answer(exchange, 500, "try again");
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = (text + "\n").getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        try (var stream = exchange.getResponseBody()) {
            stream.write(bytes);
        }
    }

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", PORT), 0);
        server.createContext("/", Receiver::handle);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
        System.out.println("listening on " + PORT);
    }
}
