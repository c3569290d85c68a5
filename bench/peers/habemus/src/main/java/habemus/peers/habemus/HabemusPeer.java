package habemus.peers.habemus;

import habemus.peers.Drive;
import habemus.peers.Node;
import habemus.peers.Peer;
import habemus.peers.Site;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Habemus: nodes are {@code habemus serve}, clients use its library. Serves in the order of asking. */
final class HabemusPeer implements Peer {

    private static final int CLUSTER = 0;
    private static final int HTTP = 200; // above the port of the node
    private static final Pattern LEADER = Pattern.compile("\"leader\":\"n(\\d+)\"");
    private static final Pattern INDEX = Pattern.compile("\"index\":(\\d+)");

    private final Site site;

    private HabemusPeer(Site site) {
        this.site = site;
    }

    public static void main(String... args) throws Exception {
        Drive.run(HabemusPeer::new, args);
    }

    @Override
    public List<Node> nodes() throws IOException {
        var cluster = IntStream.range(0, site.nodes())
                .mapToObj(i -> name(i) + "=" + site.addresses(CLUSTER).get(i))
                .collect(Collectors.joining(","));
        var nodes = new ArrayList<Node>();
        for (int i = 0; i < site.nodes(); i++) {
            var command = List.of(
                    site.root().resolve("habemus").toString(),
                    "serve",
                    "--until-eof",
                    "--cluster",
                    cluster,
                    "--me",
                    name(i),
                    "--data",
                    site.folder(i).toString());
            var room = Map.of("HABEMUS_JAVA_OPTS", String.join(" ", Site.JVM));
            nodes.add(new Node(command, room, site.port(i, CLUSTER) + HTTP));
        }
        return nodes;
    }

    private static String name(int node) {
        return "n" + (node + 1);
    }

    @Override
    public Session connect() {
        throw new UnsupportedOperationException("there is no client library yet");
    }

    @Override
    public OptionalInt leader() throws IOException, InterruptedException {
        var leader = status(LEADER);
        return leader.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(leader.get()) - 1);
    }

    @Override
    public OptionalLong entries() throws IOException, InterruptedException {
        var index = status(INDEX);
        return index.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(index.get()));
    }

    private Optional<String> status(Pattern what) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + (site.port(0, CLUSTER) + HTTP) + "/status"))
                .build();
        try (var client = HttpClient.newHttpClient()) {
            var found =
                    what.matcher(client.send(request, BodyHandlers.ofString()).body());
            return found.find() ? Optional.of(found.group(1)) : Optional.empty();
        }
    }
}
