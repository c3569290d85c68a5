package habemus.harness.attack;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * More connections than the node may have files, at each port. Connections that exist must be served all the time, and
 * new ones when the attack is over.
 */
final class FileExhaustionAttack implements Attack {

    private static final int CONNECTIONS = 2 * VictimLauncher.FEW_FILES;
    private static final Duration HOLD_TIME = Duration.ofSeconds(2);
    private static final Duration RECOVERY_TIME = Duration.ofSeconds(20);
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(200);

    @Override
    public String name() {
        return "file-exhaustion";
    }

    @Override
    public String summary() {
        return "more connections than a node with " + VictimLauncher.FEW_FILES + " files can accept (EMFILE)";
    }

    @Override
    public Setting setting() {
        return Setting.FEW_FILES;
    }

    @Override
    public Outcome run(AttackRun run) throws InterruptedException {
        var failures = new ArrayList<String>();
        for (var port : Victim.Port.values()) {
            run.progress().showText("attack " + name() + ": " + port + " port");
            exhaust(run, port);
            awaitRecovery(run, port, failures);
        }
        return new Outcome(AttackRun.format("%,d connections at each port", CONNECTIONS), failures);
    }

    private static void exhaust(AttackRun run, Victim.Port port) throws InterruptedException {
        var sockets = new ArrayList<Socket>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                sockets.add(SocketExchange.connect(run.victim(), port, 0));
            }
            Thread.sleep(HOLD_TIME);
        } catch (IOException queueFull) {
            // the node accepts no more of them, as it should
        } finally {
            sockets.forEach(FileExhaustionAttack::close);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException closed) {
            // closed by the node
        }
    }

    private static void awaitRecovery(AttackRun run, Victim.Port port, List<String> failures)
            throws InterruptedException {
        long end = System.nanoTime() + RECOVERY_TIME.toNanos();
        while (!isServing(run, port)) {
            if (System.nanoTime() - end > 0) {
                failures.add("the " + port + " port serves no new connection " + RECOVERY_TIME.toSeconds()
                        + " s after the attack");
                return;
            }
            Thread.sleep(RETRY_INTERVAL);
        }
    }

    /** Whether a new connection gets an answer. */
    private static boolean isServing(AttackRun run, Victim.Port port) throws InterruptedException {
        var question = switch (port) {
            case PEER -> ValidFrames.withLength(ValidFrames.ofPeer().getFirst());
            case CLIENT -> ValidFrames.withLength(ValidFrames.hello(""));
            case HTTP -> ValidFrames.ofHttp().getFirst();
        };
        try (var socket = SocketExchange.connect(run.victim(), port, 0)) {
            return SocketExchange.send(socket, question, SocketExchange.Ending.HALF_CLOSE, RECOVERY_TIME)
                    .filter(answer -> answer.length > 0)
                    .isPresent();
        } catch (IOException refused) {
            return false;
        }
    }
}
