package habemus.harness.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/**
 * HTTP requests whose length a proxy and the node could read differently, each with a second request hidden in its
 * body. The node must refuse the first, answer nothing else, and end the connection.
 */
final class RequestSmugglingAttack implements Attack {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3})");
    private static final String HIDDEN = "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Hidden: 1\r\n\r\n";

    /** @param head of the request, from its second line on */
    private record Request(String text, String head, String body) {

        byte[] bytes() {
            return ("POST /locks/attack/acquire HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                            + head + "\r\n" + body)
                    .getBytes(ISO_8859_1);
        }
    }

    private static final List<Request> REQUESTS = List.of(
            new Request(
                    "Content-Length and Transfer-Encoding",
                    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                    "0\r\n\r\n" + HIDDEN),
            new Request(
                    "Transfer-Encoding and Content-Length",
                    "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
                    "0\r\n\r\n" + HIDDEN),
            new Request("two lengths", "Content-Length: 2\r\nContent-Length: 64\r\n", "{}" + HIDDEN),
            new Request("two lengths in one line", "Content-Length: 2, 64\r\n", "{}" + HIDDEN),
            new Request("a length with a sign", "Content-Length: +2\r\n", "{}" + HIDDEN),
            new Request("a negative length", "Content-Length: -2\r\n", "{}" + HIDDEN),
            new Request("a hexadecimal length", "Content-Length: 0x2\r\n", "{}" + HIDDEN),
            new Request("a space before the colon", "Content-Length : 2\r\n", "{}" + HIDDEN),
            new Request("an unknown encoding", "Transfer-Encoding: xchunked\r\n", "0\r\n\r\n" + HIDDEN),
            new Request("a chunk of negative size", "Transfer-Encoding: chunked\r\n", "-1\r\n{}\r\n0\r\n\r\n" + HIDDEN),
            new Request("a chunk of huge size", "Transfer-Encoding: chunked\r\n", "7fffffffffffffff\r\n{}" + HIDDEN));

    @Override
    public String name() {
        return "request-smuggling";
    }

    @Override
    public String summary() {
        return "HTTP requests with two lengths, or none that is clear, and a second request in their body";
    }

    @Override
    public Setting setting() {
        return Setting.OPEN;
    }

    @Override
    public Outcome run(AttackRun run) throws InterruptedException {
        var failures = new CopyOnWriteArrayList<String>();
        var attempts = REQUESTS.stream()
                .map(request -> Thread.ofVirtual().start(() -> send(run.victim(), request, failures)))
                .toList();
        for (Thread attempt : attempts) {
            attempt.join();
        }
        return new Outcome(AttackRun.format("%,d requests", attempts.size()), failures);
    }

    private static void send(Victim victim, Request request, List<String> failures) {
        try (var socket = SocketExchange.connect(victim, Victim.Port.HTTP, 0)) {
            SocketExchange.send(socket, request.bytes(), SocketExchange.Ending.STAY_OPEN, TIMEOUT)
                    .ifPresentOrElse(
                            answer -> check(request, new String(answer, ISO_8859_1), failures),
                            () -> failures.add("the connection stays open after " + request.text));
        } catch (IOException unreachable) {
            failures.add("the HTTP port cannot be reached: " + unreachable.getMessage());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private static void check(Request request, String answer, List<String> failures) {
        var statuses =
                STATUS.matcher(answer).results().map(match -> match.group(1)).toList();
        if (statuses.size() > 1 || statuses.stream().anyMatch(status -> status.startsWith("2"))) {
            failures.add(request.text + " is answered with " + String.join(" and ", statuses));
        }
    }
}
