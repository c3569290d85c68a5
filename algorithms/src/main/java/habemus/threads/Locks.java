package habemus.threads;

import habemus.protocol.Milestone;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Step;
import habemus.threads.Access.Done;
import habemus.threads.Access.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Locks, monitors and semaphores. Threads that wait for one are served in the order in which their accesses arrive.
 * That is no restriction: any thread may be slow, so its access may arrive at any time.
 */
public final class Locks {

    private Locks() {}

    public static SharedObject monitor(String name) {
        return new Monitor(name, NodeSet.NONE, List.of(), NodeSet.NONE);
    }

    public static SharedObject semaphore(String name, int permits) {
        return new Semaphore(name, permits, List.of());
    }

    public static SharedObject multiLock(String name) {
        return new MultiLock(name, List.of(), List.of());
    }

    private static <T> List<T> append(List<T> list, T element) {
        var longer = new ArrayList<>(list);
        longer.add(element);
        return List.copyOf(longer);
    }

    private static <T> List<T> tail(List<T> list) {
        return List.copyOf(list.subList(1, list.size()));
    }

    /**
     * A monitor as in Java: a lock, and threads that wait for a notification. {@code notify} wakes any one of them. A
     * thread that is notified asks for the lock again, and another thread may get it before.
     *
     * @param owner the thread that holds the lock, if there is one
     * @param queue the threads that wait for the lock
     * @param waiting the threads that wait for a notification
     */
    public record Monitor(String name, NodeSet owner, List<NodeId> queue, NodeSet waiting) implements SharedObject {

        @Override
        public Step<ProgramState, Access> access(NodeId thread, Access access) {
            boolean owns = owner.contains(thread);
            return switch (access) {
                case Access.Lock() when owner.isEmpty() -> lockedBy(thread).send(thread, new Done());
                case Access.Lock() when !owns -> new Monitor(name, owner, append(queue, thread), waiting).step();
                case Access.TryLock() when owner.isEmpty() -> lockedBy(thread).send(thread, new Value(1));
                case Access.TryLock() when !owns -> step().send(thread, new Value(0));
                case Access.Unlock() when owns -> handOver().send(thread, new Done());
                case Access.Wait()
                when owns ->
                    new Monitor(name, owner, queue, waiting.with(thread))
                            .handOver()
                            .report(new Milestone.Parked(thread));
                case Access.Notify() when owns -> notifyOne(thread);
                case Access.NotifyAll() when owns -> notifyAllWaiting(thread);
                default -> throw bug(access);
            };
        }

        private Step<ProgramState, Access> lockedBy(NodeId thread) {
            return new Monitor(name, NodeSet.of(thread), queue, waiting).step();
        }

        private Step<ProgramState, Access> handOver() {
            return queue.isEmpty()
                    ? new Monitor(name, NodeSet.NONE, queue, waiting).step()
                    : new Monitor(name, NodeSet.of(queue.getFirst()), tail(queue), waiting)
                            .step()
                            .send(queue.getFirst(), new Done());
        }

        private Step<ProgramState, Access> notifyOne(NodeId notifier) {
            return switch (waiting.size()) {
                case 0 -> step().send(notifier, new Done());
                case 1 -> unpark(waiting.toList().getFirst()).send(notifier, new Done());
                default -> step().draw(waiting.size());
            };
        }

        @Override
        public Step<ProgramState, Access> drawn(int value) {
            return unpark(waiting.toList().get(value)).send(owner.toList().getFirst(), new Done());
        }

        private Step<ProgramState, Access> notifyAllWaiting(NodeId notifier) {
            var step = step();
            for (NodeId thread : waiting) {
                step = step.then(state -> ((Monitor) state).unpark(thread));
            }
            return step.send(notifier, new Done());
        }

        private Step<ProgramState, Access> unpark(NodeId thread) {
            return new Monitor(name, owner, queue, waiting.without(thread))
                    .step()
                    .report(new Milestone.Unparked(thread))
                    .send(thread, new Access.Notified());
        }
    }

    /** @param queue the threads that wait for a permit: the permits are zero then */
    public record Semaphore(String name, int permits, List<NodeId> queue) implements SharedObject {

        @Override
        public Step<ProgramState, Access> access(NodeId thread, Access access) {
            return switch (access) {
                case Access.Acquire()
                when permits > 0 ->
                    new Semaphore(name, permits - 1, queue).step().send(thread, new Done());
                case Access.Acquire() -> new Semaphore(name, 0, append(queue, thread)).step();
                case Access.Release()
                when queue.isEmpty() ->
                    new Semaphore(name, permits + 1, queue).step().send(thread, new Done());
                case Access.Release() ->
                    new Semaphore(name, 0, tail(queue))
                            .step()
                            .send(thread, new Done())
                            .send(queue.getFirst(), new Done());
                default -> throw bug(access);
            };
        }
    }

    /**
     * Several locks, of which a thread locks some at once. A thread waits behind earlier ones that need one of its
     * locks, so that none of them starves.
     */
    public record MultiLock(String name, List<LockSet> held, List<LockSet> queue) implements SharedObject {

        public record LockSet(NodeId thread, List<Integer> locks) {
            private boolean overlaps(List<LockSet> others) {
                return others.stream().anyMatch(other -> other.locks.stream().anyMatch(locks::contains));
            }
        }

        @Override
        public Step<ProgramState, Access> access(NodeId thread, Access access) {
            return switch (access) {
                case Access.LockAll(var locks) ->
                    new MultiLock(name, held, append(queue, new LockSet(thread, locks))).grant();
                case Access.UnlockAll()
                when held.stream().anyMatch(each -> each.thread.equals(thread)) ->
                    new MultiLock(
                                    name,
                                    held.stream()
                                            .filter(each -> !each.thread.equals(thread))
                                            .toList(),
                                    queue)
                            .grant()
                            .send(thread, new Done());
                default -> throw bug(access);
            };
        }

        private Step<ProgramState, Access> grant() {
            for (int i = 0; i < queue.size(); i++) {
                var next = queue.get(i);
                if (!next.overlaps(held) && !next.overlaps(queue.subList(0, i))) {
                    var others = new ArrayList<>(queue);
                    others.remove(i);
                    return new MultiLock(name, append(held, next), List.copyOf(others))
                            .step()
                            .send(next.thread, new Done())
                            .then(state -> ((MultiLock) state).grant());
                }
            }
            return step();
        }
    }
}
