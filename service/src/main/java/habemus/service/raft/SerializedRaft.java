package habemus.service.raft;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import habemus.concurrent.CombiningQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jgroups.protocols.raft.RAFT;

/**
 * jgroups-raft, one thing at a time, and by whoever brings it: its own thread would have to be woken for every message.
 * Nobody votes, or comes to lead, in the middle of appending.
 */
abstract class SerializedRaft extends RAFT {

    private static final int ROOM = 10_000; // for requests that wait
    private static final long SOON = 50_000; // nanoseconds in which one that waited is read
    private static final int LATER = 50; // milliseconds without a request, until who lags is told what it lacks

    private final String name;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger proposed = new AtomicInteger(); // of these
    private final ReentrantLock turn = new ReentrantLock();
    private volatile CombiningQueue<Request> combiningQueue = new CombiningQueue<>(this::work);
    private long idle = System.nanoTime(); // since when there was nothing to do
    private long due = idle + CombiningQueue.IDLE_NANOS; // when there is, even if nothing comes
    private volatile long attended = idle; // by one who reads
    private boolean broken;

    SerializedRaft(String name) {
        this.name = name;
        resendInterval(LATER);
    }

    /** In its turn. */
    abstract void process(List<Request> said, List<Request> proposals);

    /** In its turn: what is due. Nanoseconds until it is called again, even if nothing comes. */
    abstract long followUp();

    /** In its turn: what {@link #process} has thrown. */
    abstract void fail(Throwable why);

    /** As the engine does. */
    final void engage(List<Request> requests) {
        super.process(requests);
    }

    @Override
    public void start() throws Exception {
        super.start();
        runner.stop();
        combiningQueue = new CombiningQueue<>(this::work); // it is started again if it was not let in
        combiningQueue.start(Thread.ofPlatform().name(name).daemon().factory());
    }

    @Override
    public void stop() {
        combiningQueue.stop();
        super.stop();
    }

    /**
     * Does what was said or proposed, unless somebody is at it. A virtual thread leaves it to another: while it syncs a
     * file one more carrier has to be woken. So does who is interrupted, which would close the files.
     */
    final void attend() {
        var caller = Thread.currentThread();
        if (caller.isVirtual() || caller.isInterrupted()) {
            combiningQueue.wakeThread();
        } else {
            combiningQueue.drain();
        }
    }

    /**
     * The same by one who reads for many: what came while it was at it before is left to another, so that it can read
     * what else has come, and all of that is written together.
     */
    final void attendSoon() {
        if (System.nanoTime() - attended < SOON) {
            combiningQueue.wakeThread();
        } else {
            attend();
            attended = System.nanoTime();
        }
    }

    /** What does not fit is lost, as on a wire. */
    @Override
    protected void add(Request said) {
        if (!isFull()) {
            offer(said);
            attend();
        }
    }

    /** Whoever proposes {@linkplain #attend attends} to it. */
    @Override
    protected void offer(Request request) {
        waiting.incrementAndGet();
        if (request instanceof DownRequest) {
            proposed.incrementAndGet();
        }
        combiningQueue.enqueue(request);
    }

    /** Whether there is something to be written. */
    final boolean isBusy() {
        return proposed.get() > 0;
    }

    final boolean isFull() {
        return waiting.get() >= ROOM;
    }

    @Override
    public int processingQueueSize() {
        return waiting.get();
    }

    private long work() {
        var requests = new ArrayList<Request>();
        int proposals = 0;
        for (var next = combiningQueue.poll(); next != null; next = combiningQueue.poll()) {
            requests.add(next);
            proposals += next instanceof DownRequest ? 1 : 0;
        }
        long patience = MILLISECONDS.toNanos(resend_interval);
        if (!requests.isEmpty()) {
            process(requests);
            waiting.addAndGet(-requests.size());
            proposed.addAndGet(-proposals);
            idle = System.nanoTime();
        } else if (System.nanoTime() - idle >= patience) {
            remind();
            idle = System.nanoTime();
        } else if (System.nanoTime() - due >= 0) {
            due += CombiningQueue.IDLE_NANOS; // even if its turn never comes again
            takeTurn(this::lookAhead);
        }
        return Math.min(due, idle + patience) - System.nanoTime();
    }

    private void lookAhead() {
        due = System.nanoTime() + followUp();
    }

    /** Who lags is told what it lacks. */
    private void remind() {
        takeTurn(() -> {
            if (commit_table != null) {
                commit_table.forEach(this::sendAppendEntriesMessage);
            }
        });
    }

    /** What others say first, then what is to be proposed: a leader that was deposed in between appends nothing. */
    @Override
    protected void process(List<Request> requests) {
        var proposals = new ArrayList<Request>();
        var said = new ArrayList<Request>();
        requests.forEach(request -> (request instanceof DownRequest ? proposals : said).add(request));
        takeTurn(() -> {
            process(said, proposals);
            lookAhead();
        });
    }

    private void takeTurn(Runnable task) {
        turn.lock();
        try {
            if (!broken) {
                task.run();
            }
        } catch (RuntimeException | Error failed) {
            fail(failed);
        } finally {
            turn.unlock();
        }
    }

    /** Not while anything is appended. */
    final void inTurn(Runnable task) {
        enter();
        try {
            task.run();
        } finally {
            leave();
        }
    }

    final void enter() {
        turn.lock();
    }

    /** The engine's own threads, which may be interrupted, leave to another what has come up meanwhile. */
    final void leave() {
        turn.unlock();
        if (!turn.isHeldByCurrentThread()) {
            combiningQueue.wakeThread();
        }
    }

    /** From now on nothing is written, nor answered. */
    final void end() {
        inTurn(() -> broken = true);
    }

    final boolean isBroken() {
        return broken;
    }
}
