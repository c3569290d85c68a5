package habemus.cli;

import habemus.service.net.Namespaces;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** A network of its own for every node and every client, whose wires are cut for a while. */
final class WiredSite implements Site {

    private static final int PORT = 7_601;

    private record Wire(int from, int to) {}

    private final int nodes;
    private final Namespaces networks;

    /** There cannot be any, for lack of rights or programs. */
    static final class Impossible extends Exception {

        private static final long serialVersionUID = 1;

        private Impossible(IllegalStateException why) {
            super("NO WIRES WERE CUT: that needs root, ip and nft: " + why.getMessage(), why);
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }

    WiredSite(int nodes, int clients) throws Impossible {
        this.nodes = nodes;
        networks = new Namespaces(nodes + clients);
        try {
            networks.lay();
        } catch (IllegalStateException refused) {
            throw new Impossible(refused);
        }
    }

    @Override
    public String host(int node) {
        return networks.host(node);
    }

    @Override
    public int port(int node) {
        return PORT;
    }

    @Override
    public List<String> at(int node) {
        return networks.at(node);
    }

    /** Where a client is. */
    int place(int client) {
        return nodes + client;
    }

    /** The address of this process, to which all wires stay whole. */
    String here() {
        return networks.outside();
    }

    /** Cuts wires between a place and the nodes, and mends them after a time; returns then. */
    void cut(int place, Strikes.Kind how, Duration time, Random random) throws InterruptedException {
        var wires = wires(place, how, random);
        try {
            wires.forEach(wire -> networks.cut(wire.from, wire.to));
            Thread.sleep(time);
        } finally {
            wires.forEach(wire -> networks.mend(wire.from, wire.to));
        }
    }

    private List<Wire> wires(int place, Strikes.Kind how, Random random) {
        var others = IntStream.rangeClosed(1, nodes)
                .filter(node -> node != place)
                .boxed()
                .toList();
        int one = others.get(random.nextInt(others.size()));
        var wires = new ArrayList<Wire>();
        switch (how) {
            case ONE_WAY -> wires.add(random.nextBoolean() ? new Wire(place, one) : new Wire(one, place));
            case CUT -> wires.addAll(List.of(new Wire(place, one), new Wire(one, place)));
            case ISOLATION ->
                others.forEach(other -> wires.addAll(List.of(new Wire(place, other), new Wire(other, place))));
            case KILL, SHORT_STOP, LONG_STOP -> throw new IllegalArgumentException(how + " cuts no wire");
        }
        return wires;
    }

    @Override
    public void close() {
        networks.close();
    }
}
