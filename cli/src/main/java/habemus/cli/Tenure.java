package habemus.cli;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import picocli.CommandLine.ParseResult;

/** A command under a lock, or while leader: takes a ticket, renews its lease, and stops the command without one. */
final class Tenure {

    private static final String SECTION = "Options:";
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration SLACK = Duration.ofSeconds(5); // for an answer, beyond what it may take
    private static final Duration HASTE = Duration.ofSeconds(1); // the same, when somebody waits for this to end
    private static final Duration LONGEST = Duration.ofMinutes(10); // that the door lets anybody wait
    private static final int PARTS = 10; // of a lease: as much is kept back
    private static final int BEATS = 5; // renewals a lease
    private static final int UNKNOWN = 404; // what the door answers if it has no such ticket
    private static final int SILENT = 0; // it does not answer
    private static final int TRIES = 20; // to leave the line
    private static final Duration BETWEEN = Duration.ofMillis(50);

    private final Stake stake;
    private final Terminal terminal;
    private final Door door;
    private final List<String> command;
    private final Optional<Duration> timeout;
    private final Duration lease;
    private final Duration grace;
    private final String client;
    private final String id = UUID.randomUUID().toString().replace("-", ""); // of the ticket
    private final CompletableFuture<String> lost = new CompletableFuture<>(); // why
    private volatile boolean waiting; // for an answer of the door
    private volatile boolean over;

    /** @param making the stake, by its name */
    Tenure(ParseResult parsed, Function<String, Stake> making, String example, Terminal terminal) {
        this.terminal = terminal;
        var words = Asked.words(parsed);
        if (words.size() < 2) {
            throw Refusal.wrong(
                    words.isEmpty() ? "there is no name" : "there is no command", "write it as in " + example);
        }
        stake = making.apply(words.getFirst());
        command = words.subList(1, words.size());
        timeout = Times.span(parsed, "--timeout");
        lease = Times.span(parsed, "--lease").orElse(LEASE);
        if (lease.compareTo(Duration.ofSeconds(1)) < 0 || lease.compareTo(LONGEST) > 0) {
            throw Refusal.wrong("--lease is out of range", "it is from 1s to 10m");
        }
        grace = Times.span(parsed, "--grace").orElse(lease.dividedBy(4));
        if (grace.compareTo(lease.dividedBy(2)) > 0) {
            throw Refusal.wrong("--grace is longer than half of the lease", "give a longer --lease");
        }
        client = Output.text(parsed, "--client")
                .orElse(System.getProperty("user.name") + "/"
                        + ProcessHandle.current().pid());
        door = Door.of(parsed);
    }

    static Sheet sheet(Command command) {
        return Door.add(new Sheet(command, "NAME [options] -- COMMAND…").words("NAME", true))
                .value(SECTION, "--timeout", "TIME", "how long to wait at most (standard: for ever)")
                .value(
                        SECTION,
                        "--lease",
                        "TIME",
                        "after how long without a sign of life it is given away (standard: 10s)")
                .value(
                        SECTION,
                        "--grace",
                        "TIME",
                        "how long the command has from TERM to KILL (standard: a quarter of the lease)")
                .value(SECTION, "--client", "NAME", "who this is, for those who look (standard: user/pid)")
                .help(SECTION);
    }

    /** @return the exit code of the command */
    int run() {
        var worker = Thread.currentThread();
        try (var interruption = new Interruption(() -> interrupt(worker))) {
            if (!door.learn() && stake.beyond()) {
                throw Refusal.wrong(
                        "algorithms of the catalogue know nothing but exclusive locks and plain candidates",
                        "only the production service does: habemus serve without --algorithm and --election");
            }
            var ticket = take();
            if (ticket.isEmpty()) {
                return ExitCode.INTERRUPTED;
            }
            long until = renewOnce(lease).orElseThrow(() -> {
                giveBack(SLACK);
                return Refusal.lost(stake.words() + stake.was() + " lost at once", "try again");
            });
            return watchOver(start(ticket.get()), until, interruption);
        }
    }

    /** Who still waits leaves the line, be it that the wish is only on its way there. */
    private void interrupt(Thread worker) {
        lost.complete("interrupted");
        int status = UNKNOWN;
        for (int tries = 0; waiting && status == UNKNOWN && tries < TRIES; tries++) {
            status = giveBack(HASTE);
            pause(BETWEEN);
        }
        if (waiting && status == SILENT) {
            worker.interrupt();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing of it can fail
    private int watchOver(Child child, long until, Interruption interruption) {
        Thread.ofVirtual().start(() -> keep(until));
        Thread.ofVirtual().start(this::look);
        child.ended().thenRun(() -> over = true);
        CompletableFuture.anyOf(child.ended(), lost).join();
        boolean ended = child.ended().isDone();
        int code = ended ? child.ended().join() : child.stop();
        over = true;
        child.clear();
        giveBack(SLACK);
        if (ended || interruption.isAsked()) {
            return code;
        }
        throw Refusal.lost(
                stake.words() + stake.was() + " lost: " + lost.join() + "; the command was stopped",
                "whatever it did last may be half done");
    }

    private Child start(Door.Reply ticket) {
        var environment = new HashMap<>(stake.environment());
        environment.put(stake.variable(), ticket.text(stake.number()));
        try {
            return Child.start(command, environment, grace);
        } catch (Refusal refused) {
            giveBack(SLACK);
            throw refused;
        }
    }

    /** Stands in line, again if the door sends it away before its time; nothing if it was interrupted. */
    private Optional<Door.Reply> take() {
        long end = timeout.map(time -> System.nanoTime() + time.toNanos()).orElse(Long.MAX_VALUE);
        while (true) {
            var left = timeout.isEmpty() ? LONGEST : Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
            var wait = left.compareTo(LONGEST) < 0 ? left : LONGEST;
            var reply = ask(wait);
            if (reply.isEmpty() || reply.get().isDone()) {
                return reply;
            }
            if (reply.get().status() != 409 || reply.get().reason("code").equals("other-size")) {
                throw refused(reply.get());
            }
            if (timeout.isPresent() && System.nanoTime() - end >= 0) {
                throw Refusal.busy(
                        stake.words() + stake.was() + " not to be had in time",
                        "habemus " + stake.who() + " tells who has it");
            }
        }
    }

    /** What the door answers; nothing if this is interrupted. */
    private Optional<Door.Reply> ask(Duration wait) {
        waiting = true; // and only then it looks whether it was interrupted, which goes the other way round
        try {
            if (!lost.isDone()) {
                var reply = door.await(stake.take(), wish(wait), wait.plus(SLACK));
                waiting = false;
                if (!lost.isDone()) {
                    return Optional.of(reply);
                }
                giveBack(HASTE); // it may have been granted just then
            }
        } catch (IOException unreachable) {
            if (!lost.isDone()) {
                throw door.unreachable();
            }
        }
        return Optional.empty();
    }

    private static Refusal refused(Door.Reply reply) {
        return reply.status() < 429
                ? Refusal.wrong(reply.reason("message"), reply.reason("hint"))
                : Refusal.cannot(reply.reason("message"), reply.reason("hint"));
    }

    private JsonObject wish(Duration wait) {
        var wish = stake.wish().deepCopy();
        wish.addProperty("client", client);
        wish.addProperty("wait", Math.max(1, wait.toMillis()));
        wish.addProperty("lease", lease.toMillis());
        wish.addProperty("ticket", id);
        return wish;
    }

    /** Until when the command may run if nothing more is heard: measured from before the node was asked. */
    private Optional<Long> renewOnce(Duration patience) {
        long asked = System.nanoTime();
        try {
            var body = new JsonObject();
            body.addProperty("lease", lease.toMillis());
            var reply = door.post(path() + "/renew", body, patience);
            if (reply.isDone()) {
                return Optional.of(
                        asked + lease.minus(lease.dividedBy(PARTS)).minus(grace).toNanos());
            }
            if (reply.status() != 503) {
                lost.complete(reply.reason("message"));
            }
        } catch (IOException silent) {
            terminal.err().println("habemus: no answer from the node; trying again");
            terminal.err().flush();
        }
        return Optional.empty();
    }

    /** Renews early enough to try again; if nobody answers, it is lost before others can have it. */
    private void keep(long first) {
        long until = first;
        while (!over && !lost.isDone()) {
            pause(shorter(lease.dividedBy(BEATS), until));
            if (System.nanoTime() - until >= 0) {
                lost.complete("the node cannot be reached, and the lease is about to run out");
            } else if (!over) {
                until = renewOnce(shorter(lease.dividedBy(BEATS), until)).orElse(until);
            }
        }
    }

    private static Duration shorter(Duration time, long until) {
        var left = Duration.ofNanos(Math.max(1_000_000, until - System.nanoTime()));
        return time.compareTo(left) < 0 ? time : left;
    }

    /** Hears at once if it is taken away. */
    private void look() {
        var wait = lease.toMillis();
        while (!over && !lost.isDone()) {
            try {
                var reply = door.get(path() + "?wait=" + wait, lease.plus(SLACK));
                var state = reply.isDone() ? reply.text("state") : reply.reason("code");
                if (reply.status() == 503) {
                    pause(lease.dividedBy(PARTS)); // no majority of the nodes: there is nothing to be known
                } else if (!state.equals("held") && !over) {
                    lost.complete(why(state));
                }
            } catch (IOException silent) {
                pause(lease.dividedBy(PARTS));
            }
        }
    }

    private static String why(String state) {
        return switch (state) {
            case "expired" -> "its lease ran out";
            case "stopping" -> "the node is about to stop";
            case "lost" -> "it was taken back";
            default -> "the node knows nothing of it any more";
        };
    }

    private static void pause(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    /** If that fails, its lease will run out. Tells the status that was answered. */
    private int giveBack(Duration patience) {
        try {
            return door.post(path() + stake.giveBack(), new JsonObject(), patience)
                    .status();
        } catch (IOException unreachable) {
            terminal.err().println("habemus: " + stake.words() + " could not be given back: its lease will run out");
            return SILENT;
        }
    }

    private String path() {
        return "/tickets/" + id;
    }
}
