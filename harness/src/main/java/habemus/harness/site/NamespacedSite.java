package habemus.harness.site;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Runs every node and every client in a network namespace of its own, so that links between them can be cut. */
public final class NamespacedSite implements ClusterSite {

    private static final int PORT = 7_601;

    private record Link(int from, int to) {}

    private final int nodes;
    private final NetworkNamespaces namespaces;

    /** This machine cannot create network namespaces: permissions or programs are missing. */
    public static final class NamespacesUnavailableException extends Exception {

        private static final long serialVersionUID = 1;

        private NamespacesUnavailableException(IllegalStateException cause) {
            super("NO LINKS WERE CUT: network namespaces need root, ip and nft: " + cause.getMessage(), cause);
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }

    public NamespacedSite(int nodes, int clients) throws NamespacesUnavailableException {
        this.nodes = nodes;
        namespaces = new NetworkNamespaces(nodes + clients);
        try {
            namespaces.create();
        } catch (IllegalStateException failed) {
            throw new NamespacesUnavailableException(failed);
        }
    }

    @Override
    public String host(int node) {
        return namespaces.address(node);
    }

    @Override
    public int port(int node) {
        return PORT;
    }

    @Override
    public List<String> commandPrefix(int node) {
        return namespaces.commandPrefix(node);
    }

    /** The number of a client's namespace. */
    public int namespaceOf(int client) {
        return nodes + client;
    }

    /** For faults that are no cuts of a moment. */
    public NetworkNamespaces namespaces() {
        return namespaces;
    }

    /** The address of this process. Links to it are never cut. */
    public String outsideAddress() {
        return namespaces.outsideAddress();
    }

    /** Cuts links between a namespace and the nodes, and heals them after this time; returns then. */
    public void partition(int namespace, LinkCut cut, Duration time, Random random) throws InterruptedException {
        var links = links(namespace, cut, random);
        try {
            links.forEach(link -> namespaces.cutLink(link.from, link.to));
            Thread.sleep(time);
        } finally {
            links.forEach(link -> namespaces.healLink(link.from, link.to));
        }
    }

    private List<Link> links(int namespace, LinkCut cut, Random random) {
        var others = IntStream.rangeClosed(1, nodes)
                .filter(node -> node != namespace)
                .boxed()
                .toList();
        int peer = others.get(random.nextInt(others.size()));
        var links = new ArrayList<Link>();
        switch (cut) {
            case ONE_WAY -> links.add(random.nextBoolean() ? new Link(namespace, peer) : new Link(peer, namespace));
            case ONE_NODE -> links.addAll(List.of(new Link(namespace, peer), new Link(peer, namespace)));
            case ALL_NODES ->
                others.forEach(other -> links.addAll(List.of(new Link(namespace, other), new Link(other, namespace))));
        }
        return links;
    }

    @Override
    public void close() {
        namespaces.close();
    }
}
