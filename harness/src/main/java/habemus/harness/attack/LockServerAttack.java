package habemus.harness.attack;

import habemus.codec.MalformedInputException;
import habemus.harness.site.PortBlock;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import habemus.protocol.NodeId;
import habemus.service.server.ClientConnection;
import habemus.service.server.LockServerConfig;
import habemus.service.server.LockServerNode;
import habemus.service.server.Principal;
import habemus.service.transport.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Mutated requests that the decoder accepts, for a lock server in this process: numbers out of order, sessions of
 * others, shares that contradict each other. The machine must go on.
 */
final class LockServerAttack implements Attack {

    /** One of so many frames in this process goes to the lock server: each costs it an entry of its log. */
    private static final int SHARE_OF_FRAMES = 10;

    private static final int REQUESTS_PER_CHECK = 1_000;
    private static final int TIMEOUT_SECONDS = 60;

    @Override
    public String name() {
        return "lock-server";
    }

    @Override
    public String summary() {
        return "mutated requests that can be decoded, for a lock server in this process";
    }

    @Override
    public Setting setting() {
        return Setting.IN_PROCESS;
    }

    @Override
    public Outcome run(AttackRun run) throws InterruptedException {
        var mutator = new FrameMutator(run.budget().seed(), ValidFrames.ofClient());
        try (var ports = PortBlock.reserve(1);
                var node = LockServerNode.start(LockServerConfig.of(
                        Member.parse("n1=127.0.0.1:" + ports.first()), new NodeId(1), Optional.empty()))) {
            return attack(run, mutator, node);
        }
    }

    private Outcome attack(AttackRun run, FrameMutator mutator, LockServerNode node) throws InterruptedException {
        var failures = new ArrayList<String>();
        long submitted = 0;
        long end = run.budget().from() + Math.max(1, run.budget().decoderFrames() / SHARE_OF_FRAMES);
        for (long first = run.budget().from(); first < end && failures.isEmpty(); first += REQUESTS_PER_CHECK) {
            var requests = requests(mutator, first, Math.min(end, first + REQUESTS_PER_CHECK));
            submitted += requests.size();
            if (!isServing(node, requests)) {
                failures.add("the lock server has stopped: "
                        + node.failure().getNow(null) + "; "
                        + run.budget().replay(name(), first, REQUESTS_PER_CHECK));
            }
            run.progress()
                    .show(
                            "attack " + name(),
                            first - run.budget().from(),
                            end - run.budget().from());
        }
        return new Outcome(
                AttackRun.format(
                        "%,d frames, %,d requests among them",
                        end - run.budget().from(), submitted),
                failures);
    }

    private static List<Message.ClientRequest> requests(FrameMutator mutator, long first, long end) {
        var requests = new ArrayList<Message.ClientRequest>();
        for (long number = first; number < end; number++) {
            try {
                if (ValidFrames.TO_SERVICE.read(mutator.frame(number)) instanceof ClientFrame.Request(var request)) {
                    requests.add(request);
                }
            } catch (MalformedInputException malformed) {
                // refused by the decoder
            }
        }
        return requests;
    }

    /** Submits the requests, and waits until the lock server answers a last one. */
    private static boolean isServing(LockServerNode node, List<Message.ClientRequest> requests)
            throws InterruptedException {
        var answered = new Semaphore(0);
        var connected = node.loop().connect(Principal.ANONYMOUS, replies -> {
            if (replies.stream().anyMatch(reply -> reply.equals(new Message.SessionExpired(Long.MIN_VALUE)))) {
                answered.release();
            }
        });
        if (connected.isEmpty()) {
            return false;
        }
        try (ClientConnection connection = connected.get()) {
            requests.forEach(connection::submit); // a refusal would end a connection over a socket
            connection.submit(new Message.Attach(Long.MIN_VALUE, 0)); // of a session that never existed
            return answered.tryAcquire(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }
    }
}
