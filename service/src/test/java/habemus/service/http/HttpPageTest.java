package habemus.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonParser;
import habemus.protocol.NodeId;
import habemus.service.algorithm.AlgorithmNode;
import habemus.service.algorithm.AlgorithmNodeConfig;
import habemus.service.algorithm.TestClusters;
import habemus.service.server.HttpConfig;
import habemus.service.server.LockServerConfig;
import habemus.service.server.LockServerNode;
import habemus.service.transport.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs every example of docs/http.md and compares the responses, without ids, times and process numbers. */
@Tag("slow")
class HttpPageTest {

    private static final Pattern EXAMPLE = Pattern.compile("(?s)```\n\\$ (curl .*?[^\\\\])\n(.*?)```");
    private static final Pattern TICKET = Pattern.compile("\\b[0-9a-f]{32}\\b");
    private static final String SERVICE = "\n# The lock service\n";

    private final Map<String, String> addresses = new LinkedHashMap<>(); // on the page -> in this run
    private final Map<String, String> tickets = new LinkedHashMap<>(); // on the page -> in this run
    private List<String> shown = List.of(); // the tickets of the page, in order of appearance

    /** With {@code -Dhabemus.rewrite=true} the test writes the current responses into the page. */
    @Test
    @Timeout(60)
    void every_example_gets_the_response_shown() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "curl is not installed: the examples are not run");
        var page = root().resolve("docs/http.md");
        var text = Files.readString(page);
        shown = TICKET.matcher(text)
                .results()
                .map(MatchResult::group)
                .distinct()
                .toList();
        Member member = TestClusters.members(1).getFirst();
        Member fenced = TestClusters.members(1).getFirst();
        var config = AlgorithmNodeConfig.of(List.of(member), new NodeId(1), "central", "bully");
        var here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (var node = AlgorithmNode.start(config);
                var server = new HttpServer(node, HttpConfig.of(here));
                var service = LockServerNode.start(LockServerConfig.of(List.of(fenced), fenced.node(), Optional.empty())
                        .withFirstFence(0)
                        .withAddresses(here, here));
                var other = new HttpServer(service)) {
            node.campaign("leader");
            addresses.put("127.0.0.1:7801", "127.0.0.1:" + server.address().getPort());
            addresses.put("127.0.0.1:7601", "127.0.0.1:" + member.address().getPort());
            addresses.put("127.0.0.1:7811", "127.0.0.1:" + other.address().getPort());
            addresses.put("127.0.0.1:7611", "127.0.0.1:" + fenced.address().getPort());
            var now = EXAMPLE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(rerun(found)));
            if (Boolean.getBoolean("habemus.rewrite")) {
                Files.writeString(page, now);
            }
            assertThat(withoutVariables(now)).isEqualTo(withoutVariables(text));
        }
    }

    private String rerun(MatchResult example) {
        var command = example.group(1);
        for (var address : addresses.entrySet()) {
            command = command.replace(address.getKey(), address.getValue());
        }
        for (var ticket : tickets.entrySet()) {
            command = command.replace(ticket.getKey(), ticket.getValue());
        }
        var output = pretty(run(command)).replace("localhost", "127.0.0.1");
        for (var address : addresses.entrySet()) {
            output = output.replace(address.getValue(), address.getKey());
        }
        TICKET.matcher(output)
                .results()
                .map(MatchResult::group)
                .filter(here -> !tickets.containsValue(here))
                .forEach(here -> tickets.put(shown.get(tickets.size()), here));
        for (var ticket : tickets.entrySet()) {
            output = output.replace(ticket.getValue(), ticket.getKey());
        }
        return "```\n$ " + example.group(1) + "\n" + output + "```";
    }

    private static String pretty(String output) {
        if (!output.startsWith("{")) {
            return output;
        }
        var gson = new GsonBuilder()
                .setPrettyPrinting()
                .serializeNulls()
                .disableHtmlEscaping()
                .create();
        return gson.toJson(JsonParser.parseString(output)) + "\n";
    }

    private static String run(String command) {
        try {
            var process = new ProcessBuilder("bash", "-c", command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new String(process.getInputStream().readAllBytes(), UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String withoutVariables(String page) {
        var text = page.replaceAll("\"(pid|incarnation|lease|sent|received|rejected)\": ?\\d+", "\"$1\": N")
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "TIME");
        int service = text.indexOf(SERVICE);
        return text.substring(0, service)
                + text.substring(service).replaceAll("\"(fence|term|index|appliedEntries)\": ?\\d+", "\"$1\": N");
    }

    private static Path root() {
        var folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("verify"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
