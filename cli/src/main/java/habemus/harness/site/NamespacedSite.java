package habemus.harness.site;

import habemus.harness.faults.RandomFaults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** A network of its own for every node and every client, whose wires are cut for a while. */
public final class NamespacedSite implements ClusterSite {

    private static final int PORT = 7_601;

    private record Link(int from, int to) {}

    private final int nodes;
    private final NetworkNamespaces networks;

    /** There cannot be any, for lack of rights or programs. */
    public static final class NamespacesUnavailableException extends Exception {

        private static final long serialVersionUID = 1;

        private NamespacesUnavailableException(IllegalStateException why) {
            super("NO WIRES WERE CUT: that needs root, ip and nft: " + why.getMessage(), why);
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }

    public NamespacedSite(int nodes, int clients) throws NamespacesUnavailableException {
        this.nodes = nodes;
        networks = new NetworkNamespaces(nodes + clients);
        try {
            networks.create();
        } catch (IllegalStateException refused) {
            throw new NamespacesUnavailableException(refused);
        }
    }

    @Override
    public String host(int node) {
        return networks.address(node);
    }

    @Override
    public int port(int node) {
        return PORT;
    }

    @Override
    public List<String> commandPrefix(int node) {
        return networks.commandPrefix(node);
    }

    /** Where a client is. */
    public int namespaceOf(int client) {
        return nodes + client;
    }

    /** The address of this process, to which all wires stay whole. */
    public String outsideAddress() {
        return networks.outsideAddress();
    }

    /** Cuts wires between a place and the nodes, and mends them after a time; returns then. */
    public void partition(int place, RandomFaults.Kind how, Duration time, Random random) throws InterruptedException {
        var links = links(place, how, random);
        try {
            links.forEach(link -> networks.cutLink(link.from, link.to));
            Thread.sleep(time);
        } finally {
            links.forEach(link -> networks.healLink(link.from, link.to));
        }
    }

    private List<Link> links(int place, RandomFaults.Kind how, Random random) {
        var others = IntStream.rangeClosed(1, nodes)
                .filter(node -> node != place)
                .boxed()
                .toList();
        int one = others.get(random.nextInt(others.size()));
        var links = new ArrayList<Link>();
        switch (how) {
            case ONE_WAY_CUT -> links.add(random.nextBoolean() ? new Link(place, one) : new Link(one, place));
            case LINK_CUT -> links.addAll(List.of(new Link(place, one), new Link(one, place)));
            case ISOLATION ->
                others.forEach(other -> links.addAll(List.of(new Link(place, other), new Link(other, place))));
            case KILL, SHORT_PAUSE, LONG_PAUSE -> throw new IllegalArgumentException(how + " cuts no wire");
        }
        return links;
    }

    @Override
    public void close() {
        networks.close();
    }
}
