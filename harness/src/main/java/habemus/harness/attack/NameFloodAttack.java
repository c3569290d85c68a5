package habemus.harness.attack;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Locks with new names, as many as the node grants, at a node with a small heap. The node must refuse more of them
 * before its heap is in danger, and start again with all that it has granted.
 */
final class NameFloodAttack implements Attack {

    private static final int NAMES_PER_SESSION = 5_000;
    private static final int NAMES_PER_WRITE = 500;
    private static final String PADDING = "x".repeat(150);

    private long granted;
    private long refused;

    @Override
    public String name() {
        return "name-flood";
    }

    @Override
    public String summary() {
        return "locks with new names without end at a node with a heap of " + VictimLauncher.SMALL_HEAP_MB + " MB";
    }

    @Override
    public Setting setting() {
        return Setting.SMALL_HEAP;
    }

    @Override
    public Outcome run(AttackRun run) throws InterruptedException {
        granted = 0;
        refused = 0;
        var ended = "";
        try (var attacker = new AttackerConnection(SocketExchange.connect(run.victim(), Victim.Port.CLIENT, 0), "")) {
            for (int first = 0; first < run.budget().names(); first += NAMES_PER_SESSION) {
                acquire(attacker, attacker.openSession(first + 1), first);
                run.progress().show("attack " + name(), first, run.budget().names());
            }
        } catch (IOException refusal) {
            ended = "; " + refusal.getMessage();
        }
        return new Outcome(AttackRun.format("%,d names granted, %,d refused%s", granted, refused, ended), List.of());
    }

    /** The node must start with all names that it has granted. */
    @Override
    public void finish(AttackRun run) {
        run.victim().cluster().ifPresent(cluster -> {
            cluster.kill(1);
            cluster.restart(1);
        });
    }

    private void acquire(AttackerConnection attacker, long session, int first) throws IOException {
        for (int number = 1; number <= NAMES_PER_SESSION; number += NAMES_PER_WRITE) {
            var requests = new ArrayList<Message.ClientRequest>();
            for (int i = number; i < number + NAMES_PER_WRITE; i++) {
                var share = ResourceShare.exclusive("attack-" + (first + i) + "-" + PADDING);
                requests.add(
                        new Message.Submit(session, i, number - 1, new Operation.Acquire(List.of(share), false, 0)));
            }
            attacker.send(requests);
            for (int results = 0; results < NAMES_PER_WRITE; ) {
                switch (attacker.read()) {
                    case ClientFrame.Reply(Message.Result(var from, var request, OperationResult.Granted grant)) -> {
                        granted++;
                        results++;
                    }
                    case ClientFrame.Reply(Message.Result other) -> {
                        refused++;
                        results++;
                    }
                    case ClientFrame.ConnectionRejected rejected -> throw new IOException(rejected.message());
                    case ClientFrame.ToClient unrelated -> {}
                }
            }
        }
    }
}
