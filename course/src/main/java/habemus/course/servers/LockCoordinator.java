package habemus.course.servers;

import habemus.mutex.Central;
import habemus.mutex.Central.Message;
import habemus.mutex.Central.State;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The named locks of a coordinator. Each lock is the coordinator of {@link Central}, the algorithm of the catalogue,
 * and clients are its nodes. A Grant is not sent: the client finds it when it asks again. Thread-safe.
 */
public final class LockCoordinator {

    static final int MAX_LOCKS = 20_000;
    static final int MAX_QUEUE = 16;

    private final Central algorithm = new Central(Duration.ZERO, false);
    private final State unused =
            algorithm.start(new Neighbourhood(Central.COORDINATOR, List.of())).state();
    private final Map<String, State> locks = new HashMap<>();
    private final ReentrantLock mutex = new ReentrantLock();

    /** Grants the lock or queues the client. A client that asks again keeps its place. */
    LockReply acquire(String lock, NodeId client) {
        mutex.lock();
        try {
            var state = locks.getOrDefault(lock, unused);
            var queue = state.coordinator().queue();
            if (queue.contains(client)) {
                return answer(state, client);
            }
            if (queue.size() >= MAX_QUEUE || locks.size() >= MAX_LOCKS && !locks.containsKey(lock)) {
                return new LockReply.Rejected("full");
            }
            return answer(step(lock, state, client, new Message.Request()), client);
        } finally {
            mutex.unlock();
        }
    }

    /** Releases the lock if the client holds it with this fence. The first client of the queue is the next holder. */
    LockReply release(String lock, NodeId client, long fence) {
        mutex.lock();
        try {
            var state = locks.getOrDefault(lock, unused);
            var queue = state.coordinator().queue();
            if (queue.isEmpty()
                    || !queue.getFirst().equals(client)
                    || state.coordinator().fence() != fence) {
                return new LockReply.Rejected("not-held");
            }
            step(lock, state, client, new Message.Release(fence));
            return new LockReply.Released();
        } finally {
            mutex.unlock();
        }
    }

    private State step(String lock, State state, NodeId client, Message message) {
        var next = algorithm.receive(state, client, message).state();
        locks.put(lock, next);
        return next;
    }

    private static LockReply answer(State state, NodeId client) {
        int position = state.coordinator().queue().indexOf(client);
        return position == 0 ? new LockReply.Granted(state.coordinator().fence()) : new LockReply.Waiting(position);
    }

    /** Decides nothing for this time, as a coordinator does that takes a snapshot or collects garbage. */
    public void stall(Duration time) {
        mutex.lock();
        try {
            long end = System.nanoTime() + time.toNanos();
            for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(100)));
            }
        } finally {
            mutex.unlock();
        }
    }
}
