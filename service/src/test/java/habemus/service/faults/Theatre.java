package habemus.service.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.service.net.Member;
import habemus.service.node.Clusters;
import habemus.service.node.Java;
import habemus.service.record.Recorded;
import habemus.world.Property;
import habemus.world.Verdict;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A cluster of real processes, which can be killed, stopped and started again. */
final class Theatre implements AutoCloseable {

    /**
     * What is given.
     *
     * @param folder where traces, and memories if there is a disk, are kept
     */
    record Play(String locks, String elections, Path folder, boolean disk) {}

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final List<Member> members;
    private final IntFunction<List<String>> where;
    private final Play play;
    private final List<Actor> actors = new ArrayList<>();

    /** On loopback. */
    Theatre(int nodes, Play play) {
        this(Clusters.members(nodes), node -> List.of(), play);
    }

    /** Each node in a network of its own. */
    Theatre(Wires wires, Play play) {
        this(wires.members(), wires::at, play);
    }

    private Theatre(List<Member> members, IntFunction<List<String>> where, Play play) {
        this.members = members;
        this.where = where;
        this.play = play;
        for (int number = 1; number <= members.size(); number++) {
            actors.add(new Actor(number));
        }
        actors.forEach(actor -> actor.start(20));
        actors.forEach(actor -> actor.hear("up "));
    }

    /** Of the first group of which there are traces, whose every step is as the pure machine takes it. */
    static Verdict verdict(Path folder, Property property) {
        var recorded = Recorded.read(folder.resolve("record"), false).getFirst();
        assertThat(recorded.differences()).isEmpty();
        return requireNonNull(recorded.outcome().verdicts().get(property));
    }

    Actor node(int number) {
        return actors.get(number - 1);
    }

    List<Actor> others(int number) {
        return actors.stream().filter(actor -> actor.number != number).toList();
    }

    /** Has it come back, if it was killed. */
    void revive(int number) {
        if (number > 0) {
            node(number).restart();
        }
    }

    Path record() {
        return play.folder.resolve("record");
    }

    Path data(int number) {
        return play.folder.resolve("data-n" + number);
    }

    @Override
    public void close() {
        actors.forEach(Actor::dismiss);
        actors.forEach(Actor::end);
    }

    record Leader(int number, long term) {
        private static Leader of(List<String> words) {
            return new Leader(Integer.parseInt(words.get(2).substring(1)), Long.parseLong(words.get(3)));
        }
    }

    /** One process. */
    final class Actor {
        final int number;
        private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
        private Process process;

        Actor(int number) {
            this.number = number;
        }

        /** @param gather for how many seconds it waits for the others */
        void start(int gather) {
            said.clear();
            var cluster = members.stream().map(Member::toString).collect(Collectors.joining(","));
            var data = play.disk ? data(number).toString() : "";
            var words = new ArrayList<>(where.apply(number));
            words.addAll(Java.command(
                    Puppet.class.getName(),
                    cluster,
                    Integer.toString(number),
                    play.locks,
                    play.elections,
                    Integer.toString(gather),
                    data,
                    record().toString()));
            try {
                process = new ProcessBuilder(words)
                        .redirectError(
                                play.folder.resolve("n" + number + ".log").toFile())
                        .start();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
            var reader = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
            Thread.ofVirtual().start(() -> reader.lines().forEach(said::add));
        }

        /** Until all others know of its new life. */
        void restart() {
            start(20);
            var life = hear("up ").split(" ", -1)[1];
            others(number).stream()
                    .filter(other -> other.process.isAlive())
                    .forEach(other -> other.await("peers x", "peers ", said -> said.contains(life)));
        }

        Actor tell(String order) {
            try {
                process.getOutputStream().write((order + "\n").getBytes(UTF_8));
                process.getOutputStream().flush();
            } catch (IOException dead) {
                throw new UncheckedIOException(dead);
            }
            return this;
        }

        /** Waits for a line that begins so. */
        String hear(String beginning) {
            return hear(beginning, PATIENCE)
                    .orElseThrow(() -> new AssertionError("n" + number + " did not say '" + beginning + "'"));
        }

        Optional<String> hear(String beginning, Duration patience) {
            long end = System.nanoTime() + patience.toNanos();
            try {
                for (var line = next(end); line != null; line = next(end)) {
                    if (line.startsWith(beginning)) {
                        return Optional.of(line);
                    }
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return Optional.empty();
        }

        private String next(long end) throws InterruptedException {
            return said.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        /** Waits until so many others are there. */
        void awaitPeers(int many) {
            await("peers x", "peers ", words -> Integer.parseInt(words.get(1)) == many);
        }

        /** Waits until somebody leads in a later term, other than one who cannot. */
        Leader awaitLeader(int dead, long after) {
            var words = await(
                    "leader boss",
                    "leader boss ",
                    said -> Leader.of(said).number > 0
                            && Leader.of(said).number != dead
                            && Leader.of(said).term > after);
            return Leader.of(words);
        }

        /** Waits until both name the same leader, other than one who cannot; tells whom. */
        int awaitAgreement(String election, Actor other, int dead) {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (System.nanoTime() < end) {
                int here = named(election);
                if (here > 0 && here != dead && here == other.named(election)) {
                    return here;
                }
            }
            throw new AssertionError("n" + number + " and n" + other.number + " never agree in " + election);
        }

        private int named(String election) {
            var said = tell("leader " + election).hear("leader " + election + " ");
            return Leader.of(List.of(said.split(" ", -1))).number;
        }

        /** Waits until it names this one. */
        void awaitNamed(int leader) {
            await("leader boss", "leader boss ", said -> Leader.of(said).number == leader);
        }

        /** Asks until the answer is so. */
        private List<String> await(String question, String beginning, Predicate<List<String>> answer) {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (System.nanoTime() < end) {
                var words = List.of(tell(question).hear(beginning).split(" ", -1));
                if (answer.test(words)) {
                    return words;
                }
            }
            throw new AssertionError("n" + number + " never gave the answer to '" + question + "'");
        }

        void enter() {
            tell("acquire x").hear("granted x");
        }

        void leave() {
            tell("release x").hear("released x");
        }

        void kill() {
            signal("KILL");
            try {
                assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        void pause() {
            signal("STOP");
        }

        void resume() {
            signal("CONT");
        }

        private void signal(String name) {
            try {
                new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** In good order, as far as it still can. */
        private void dismiss() {
            resume();
            try {
                process.getOutputStream().close();
            } catch (IOException gone) {
                process.destroyForcibly();
            }
        }

        private void end() {
            try {
                if (!process.waitFor(10, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
