package habemus.cli;

import habemus.service.net.GroupNet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * The production service under random faults, for long: real nodes and real clients, that are killed, stopped and cut
 * off. From time to time a majority of the nodes is gone. Then what the clients have seen is judged.
 *
 * @param patience how soon it must serve again if a majority is there
 * @param cuts whether wires are cut, if possible
 */
record FencedSoak(int clients, Duration patience, boolean cuts) implements Soak.Kind {

    private static final Duration PHASE = Duration.ofSeconds(20); // between two times without a majority
    private static final Duration DOWN_MIN = Duration.ofMillis(500); // without a majority
    private static final Duration DOWN_MAX = Duration.ofSeconds(4);
    private static final String LOOPBACK = "127.0.0.1";
    private static final List<Strikes.Kind> GONE = // as a majority
            List.of(Strikes.Kind.KILL, Strikes.Kind.LONG_STOP, Strikes.Kind.ISOLATION);

    /** How long it took the service to serve, after a majority was back; nothing if it never did. */
    record Return(Strikes.Kind how, Optional<Duration> after) {}

    /**
     * What happened besides faults of nodes.
     *
     * @param uncut why no wires were cut, if none were
     * @param lives of clients
     * @param gaps in which nobody was served though a majority was there
     */
    record Campaign(
            Optional<String> uncut,
            Map<Strikes.Kind, Integer> onClients,
            long lives,
            List<Return> returns,
            long begun,
            List<Majority.Gap> gaps) {}

    @Override
    public SoakReport run(Soak soak) throws InterruptedException {
        if (!cuts) {
            return run(soak, Optional.empty(), Optional.of("no wires were cut, as was wished"));
        }
        soak.progress().say("lays wires");
        try (var wires = new WiredSite(soak.nodes(), clients)) {
            return run(soak, Optional.of(wires), Optional.empty());
        } catch (WiredSite.Impossible refused) {
            return run(soak, Optional.empty(), Optional.of(refused.getMessage()));
        }
    }

    private SoakReport run(Soak soak, Optional<WiredSite> wires, Optional<String> uncut) throws InterruptedException {
        soak.progress().say("starts " + soak.nodes() + " nodes and " + clients + " clients");
        Site site = wires.isPresent() ? wires.get() : Ports.find(soak.nodes());
        var fleet = new Fleet(soak.nodes(), site, List.of(), Map.of("--data", soak.data()));
        try (var resource = new GuardedResource(wires.map(WiredSite::here).orElse(LOOPBACK));
                var cluster = new Cluster(fleet, wires).up();
                var probe = new SoakProbe(cluster.doors());
                var users = new SoakClients(
                                clients,
                                wires,
                                new SoakClients.Used(cluster.doors(), resource.address()),
                                histories(soak),
                                soak.seed())
                        .up()) {
            var running = new Running(soak, cluster, users, probe);
            var course = running.strike();
            soak.progress().say("judges");
            write(soak.folder().resolve("faults.txt"), running.majority.lines());
            write(soak.folder().resolve("nodes.txt"), running.words());
            var history = SoakHistory.read(histories(soak));
            var findings = new FencedFindings(
                    this,
                    running.campaign(uncut),
                    FencedFindings.Seen.of(history, resource.writes()),
                    HistoryJudge.judge(history, resource.writes()));
            return new SoakReport(soak, course, findings);
        }
    }

    private static Path histories(Soak soak) {
        try {
            return Files.createDirectories(soak.folder().resolve("histories"));
        } catch (IOException refused) {
            throw Refusal.cannot("cannot write to " + soak.folder(), "give another folder with --record");
        }
    }

    private static void write(Path file, List<String> lines) {
        try {
            Files.write(file, lines);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private final class Running {

        private final Soak soak;
        private final Cluster cluster;
        private final SoakClients users;
        private final SoakProbe probe;
        private final long begun = System.nanoTime();
        private final Majority majority;
        private final Victims nodes;
        private final Random random;
        private final Strikes onClients;
        private final Map<Strikes.Kind, Integer> onNodes = new EnumMap<>(Strikes.Kind.class);
        private final List<Return> returns = new ArrayList<>();
        private final List<String> troubles = new ArrayList<>();
        private long end;

        Running(Soak soak, Cluster cluster, SoakClients users, SoakProbe probe) {
            this.soak = soak;
            this.cluster = cluster;
            this.users = users;
            this.probe = probe;
            majority = new Majority(soak.nodes(), begun);
            nodes = new Marked(cluster, majority);
            random = new Random(soak.seed());
            onClients = new Strikes(users, Math.max(1, clients / 2), SoakClient.LEASE, soak.seed());
        }

        private Soak.Course strike() throws InterruptedException {
            onClients.begin();
            long phase = Math.min(PHASE.toNanos(), soak.time().toNanos() / 2);
            while (System.nanoTime() - begun < soak.time().toNanos()) {
                minority(System.nanoTime() + phase);
                soak.progress().say("a majority is gone");
                majority();
            }
            soak.progress().say("mends everything");
            onClients.end();
            end = System.nanoTime();
            troubles.addAll(onClients.troubles());
            troubles.addAll(users.end());
            troubles.addAll(cluster.failures());
            return new Soak.Course(
                    (end - begun) / 1e9, onNodes, troubles.stream().distinct().toList());
        }

        /** What the nodes have said, by the same clock as faults. */
        private List<String> words() {
            return cluster.words().stream()
                    .map(word -> String.format(
                            Locale.ROOT, "%.2f s n%d %s", (word.at() - begun) / 1e9, word.node(), word.line()))
                    .toList();
        }

        private Campaign campaign(Optional<String> uncut) {
            return new Campaign(
                    uncut, onClients.counts(), users.lives(), returns, begun, majority.gaps(probe.served(), end));
        }

        private void minority(long until) throws InterruptedException {
            var strikes = new Strikes(nodes, soak.minority(), GroupNet.SILENCE, random.nextLong());
            strikes.begin();
            soak.watch(begun, until, () -> strikes.count() + " faults");
            strikes.end();
            strikes.counts().forEach((kind, times) -> onNodes.merge(kind, times, Integer::sum));
            troubles.addAll(strikes.troubles());
        }

        /** All but too few are killed, or stopped, or cut off. */
        private void majority() throws InterruptedException {
            var struck = new ArrayList<>(nodes.nodes());
            Collections.shuffle(struck, random);
            struck.subList(soak.nodes() - soak.nodes() / 2, soak.nodes()).clear();
            var down = Duration.ofMillis(random.nextLong(DOWN_MIN.toMillis(), DOWN_MAX.toMillis()));
            var ways = GONE.stream().filter(nodes.kinds()::contains).toList();
            var how = ways.get(returns.size() % ways.size());
            if (how == Strikes.Kind.KILL) {
                struck.forEach(nodes::kill);
                Thread.sleep(down);
                nodes.restart(struck.removeFirst());
            } else {
                strike(struck, how, down);
                struck.clear();
            }
            long returned = majority.since().orElseThrow();
            var served = probe.servedAfter(returned);
            returns.add(new Return(
                    how,
                    served.isPresent()
                            ? Optional.of(Duration.ofNanos(served.getAsLong() - returned))
                            : Optional.empty()));
            struck.forEach(nodes::restart);
        }

        private void strike(List<Integer> which, Strikes.Kind how, Duration down) throws InterruptedException {
            var threads = which.stream()
                    .map(node -> Thread.ofVirtual().start(() -> {
                        try {
                            if (how == Strikes.Kind.ISOLATION) {
                                nodes.cut(node, how, down, random);
                            } else {
                                nodes.pause(node, down);
                            }
                        } catch (InterruptedException enough) {
                            Thread.currentThread().interrupt();
                        }
                    }))
                    .toList();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
