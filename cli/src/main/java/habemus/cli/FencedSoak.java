package habemus.cli;

import habemus.service.net.GroupNet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The production service under random faults, for long: real nodes and real clients, that are killed and stopped. From
 * time to time a majority of the nodes is gone. Then what the clients have seen is judged.
 *
 * @param folder for the histories of the clients; the data of the nodes is in one within it
 */
record FencedSoak(int nodes, int clients, Duration time, long seed, Path folder) {

    private static final Duration LOOKING = Duration.ofMillis(250); // between two looks
    private static final Duration PHASE = Duration.ofSeconds(20); // between two times without a majority
    private static final Duration DOWN_MIN = Duration.ofMillis(500); // without a majority
    private static final Duration DOWN_MAX = Duration.ofSeconds(4);

    /** How long it took the service to serve, after a majority was back; nothing if it never did. */
    record Return(boolean killed, Optional<Duration> after) {}

    /**
     * How it went.
     *
     * @param lives of clients
     * @param gap the longest time in which a lock that nobody wanted was not granted, with a majority up
     */
    record Campaign(
            double seconds,
            Map<Strikes.Kind, Integer> onNodes,
            Map<Strikes.Kind, Integer> onClients,
            long lives,
            List<Return> returns,
            Duration gap,
            List<String> troubles) {}

    FencedSoakReport run(CountDownLatch enough, Progress progress) {
        progress.say("starts " + nodes + " nodes and " + clients + " clients");
        try (var resource = new GuardedResource();
                var cluster = new Cluster(new Fleet(
                                nodes, Ports.find(nodes), List.of(), Map.of("--data", folder.resolve("data"))))
                        .up();
                var probe = new SoakProbe(cluster.doors());
                var users = new SoakClients(clients, cluster.doors(), resource.port(), histories(), seed).up()) {
            var campaign = new Running(cluster, users, probe).strike(enough, progress);
            progress.say("judges");
            var history = SoakHistory.read(histories());
            var verdict = HistoryJudge.judge(history, resource.writes());
            progress.clear();
            return new FencedSoakReport(this, campaign, FencedSoakReport.Seen.of(history, resource.writes()), verdict);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Refusal.cannot("it was interrupted", "let it run to its end");
        }
    }

    private Path histories() {
        try {
            return Files.createDirectories(folder.resolve("histories"));
        } catch (IOException refused) {
            throw Refusal.cannot("cannot write to " + folder, "give another folder with --record");
        }
    }

    private final class Running {

        private final Cluster cluster;
        private final SoakClients users;
        private final SoakProbe probe;
        private final Random random = new Random(seed);
        private final Map<Strikes.Kind, Integer> onNodes = new EnumMap<>(Strikes.Kind.class);
        private final List<Return> returns = new ArrayList<>();
        private final List<String> troubles = new ArrayList<>();
        private long gap;

        Running(Cluster cluster, SoakClients users, SoakProbe probe) {
            this.cluster = cluster;
            this.users = users;
            this.probe = probe;
        }

        private Campaign strike(CountDownLatch enough, Progress progress) throws InterruptedException {
            long begun = System.nanoTime();
            var strikes = new Strikes(users, Math.max(1, clients / 2), SoakClient.LEASE, seed);
            strikes.begin();
            long phase = Math.min(PHASE.toNanos(), time.toNanos() / 2);
            while (System.nanoTime() - begun < time.toNanos()) {
                minority(phase, enough, progress, begun);
                progress.say("a majority is gone");
                majority();
            }
            progress.say("mends everything");
            strikes.end();
            troubles.addAll(strikes.troubles());
            troubles.addAll(users.end());
            var onClients = new EnumMap<Strikes.Kind, Integer>(Strikes.Kind.class);
            Stream.of(Strikes.Kind.values()).forEach(kind -> onClients.put(kind, strikes.count(kind)));
            troubles.addAll(cluster.failures());
            return new Campaign(
                    (System.nanoTime() - begun) / 1e9,
                    onNodes,
                    onClients,
                    users.lives(),
                    returns,
                    Duration.ofNanos(gap),
                    troubles.stream().distinct().toList());
        }

        private void minority(long length, CountDownLatch enough, Progress progress, long begun)
                throws InterruptedException {
            var strikes = new Strikes(cluster, (nodes - 1) / 2, GroupNet.SILENCE, random.nextLong());
            long from = System.nanoTime();
            strikes.begin();
            while (System.nanoTime() - from < length) {
                progress.show(
                        strikes.count() + " faults", (System.nanoTime() - begun) / 1_000_000_000, time.toSeconds());
                if (enough.await(LOOKING.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw Refusal.cannot("it was ended before its time, and nothing is judged", "give fewer --minutes");
                }
            }
            strikes.end();
            gap = Math.max(gap, probe.longestGap(from, System.nanoTime()));
            for (var kind : Strikes.Kind.values()) {
                onNodes.merge(kind, strikes.count(kind), Integer::sum);
            }
            troubles.addAll(strikes.troubles());
        }

        /** All but too few are killed, or stopped. */
        private void majority() throws InterruptedException {
            int majority = nodes / 2 + 1;
            var struck = new ArrayList<>(cluster.nodes());
            Collections.shuffle(struck, random);
            struck.subList(nodes - majority + 1, nodes).clear();
            var down = Duration.ofMillis(random.nextLong(DOWN_MIN.toMillis(), DOWN_MAX.toMillis()));
            boolean kill = returns.size() % 2 == 0;
            if (kill) {
                struck.forEach(cluster::kill);
                Thread.sleep(down);
                cluster.restart(struck.removeFirst());
            } else {
                stop(struck, down);
                struck.clear();
            }
            long returned = System.nanoTime();
            var served = probe.servedAfter(returned);
            returns.add(new Return(
                    kill,
                    served.isPresent()
                            ? Optional.of(Duration.ofNanos(served.getAsLong() - returned))
                            : Optional.empty()));
            struck.forEach(cluster::restart);
        }

        private void stop(List<Integer> which, Duration down) throws InterruptedException {
            var threads = which.stream()
                    .map(node -> Thread.ofVirtual().start(() -> {
                        try {
                            cluster.pause(node, down);
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
