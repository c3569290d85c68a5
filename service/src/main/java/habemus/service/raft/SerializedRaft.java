package habemus.service.raft;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import habemus.concurrent.CombiningQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jgroups.protocols.raft.RAFT;

/**
 * Jgroups-raft that handles one request at a time under one lock. The thread that brings a request also handles it,
 * which saves the wake-up of a dedicated thread. Votes and leader changes do not interleave with appends.
 */
abstract class SerializedRaft extends RAFT {

    private static final int QUEUE_MAX_REQUESTS = 10_000;
    private static final long READER_INTERVAL_NANOS = 50_000; // a reader handles requests itself at most this often
    private static final int CATCH_UP_INTERVAL_MILLIS = 50; // idle time after which lagging followers get entries

    private final String name;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger proposed = new AtomicInteger(); // the proposals among them
    private final ReentrantLock turn = new ReentrantLock();
    private volatile CombiningQueue<Request> combiningQueue = new CombiningQueue<>(this::work);
    private long idle = System.nanoTime(); // time of the last request
    private long due = idle + CombiningQueue.IDLE_NANOS; // time of the next followUp
    private volatile long readerRanAt = idle;
    private boolean failed;

    SerializedRaft(String name) {
        this.name = name;
        resendInterval(CATCH_UP_INTERVAL_MILLIS);
    }

    /** Handles requests, with the lock held. */
    abstract void process(List<Request> received, List<Request> proposals);

    /** Does what is due, with the lock held. Returns the nanoseconds until the next call. */
    abstract long followUp();

    /** Handles an exception of {@link #process}, with the lock held. */
    abstract void fail(Throwable cause);

    /** Handles requests as jgroups-raft does. */
    final void engage(List<Request> requests) {
        super.process(requests);
    }

    @Override
    public void start() throws Exception {
        super.start();
        runner.stop();
        combiningQueue = new CombiningQueue<>(this::work); // a rejected join is retried
        combiningQueue.start(Thread.ofPlatform().name(name).daemon().factory());
    }

    @Override
    public void stop() {
        combiningQueue.stop();
        super.stop();
    }

    /**
     * Handles pending requests, unless another thread is handling them. A virtual thread leaves them to the background
     * thread, since its fsync would block a carrier. So does an interrupted thread, since an interrupt closes files.
     */
    final void runPending() {
        var caller = Thread.currentThread();
        if (caller.isVirtual() || caller.isInterrupted()) {
            combiningQueue.wakeThread();
        } else {
            combiningQueue.drain();
        }
    }

    /**
     * The same for a thread that reads from many connections. If it has just handled requests, it leaves the next ones
     * to the background thread and reads on, so that more entries share one fsync.
     */
    final void runPendingByReader() {
        if (System.nanoTime() - readerRanAt < READER_INTERVAL_NANOS) {
            combiningQueue.wakeThread();
        } else {
            runPending();
            readerRanAt = System.nanoTime();
        }
    }

    /** Drops a received request if the queue is full, as a network would. */
    @Override
    protected void add(Request request) {
        if (!isFull()) {
            offer(request);
            runPending();
        }
    }

    /** The caller must call {@link #runPending} afterwards. */
    @Override
    protected void offer(Request request) {
        waiting.incrementAndGet();
        if (request instanceof DownRequest) {
            proposed.incrementAndGet();
        }
        combiningQueue.enqueue(request);
    }

    /** Whether proposals wait to be written. */
    final boolean hasPendingWrites() {
        return proposed.get() > 0;
    }

    final boolean isFull() {
        return waiting.get() >= QUEUE_MAX_REQUESTS;
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
        long catchUpInterval = MILLISECONDS.toNanos(resend_interval);
        if (!requests.isEmpty()) {
            process(requests);
            waiting.addAndGet(-requests.size());
            proposed.addAndGet(-proposals);
            idle = System.nanoTime();
        } else if (System.nanoTime() - idle >= catchUpInterval) {
            sendMissingEntries();
            idle = System.nanoTime();
        } else if (System.nanoTime() - due >= 0) {
            due += CombiningQueue.IDLE_NANOS; // replaced below if the lock is available
            takeTurn(this::lookAhead);
        }
        return Math.min(due, idle + catchUpInterval) - System.nanoTime();
    }

    private void lookAhead() {
        due = System.nanoTime() + followUp();
    }

    private void sendMissingEntries() {
        takeTurn(() -> {
            if (commit_table != null) {
                commit_table.forEach(this::sendAppendEntriesMessage);
            }
        });
    }

    /** Handles received requests first, then proposals: a leader that was just deposed appends nothing. */
    @Override
    protected void process(List<Request> requests) {
        var proposals = new ArrayList<Request>();
        var received = new ArrayList<Request>();
        requests.forEach(request -> (request instanceof DownRequest ? proposals : received).add(request));
        takeTurn(() -> {
            process(received, proposals);
            lookAhead();
        });
    }

    private void takeTurn(Runnable task) {
        turn.lock();
        try {
            if (!failed) {
                task.run();
            }
        } catch (RuntimeException | Error failure) {
            fail(failure);
        } finally {
            turn.unlock();
        }
    }

    /** Runs the task under the lock, so not during an append. */
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

    /** Threads of jgroups-raft may be interrupted, so they leave pending requests to the background thread. */
    final void leave() {
        turn.unlock();
        if (!turn.isHeldByCurrentThread()) {
            combiningQueue.wakeThread();
        }
    }

    /** Stops all writes and replies. */
    final void end() {
        inTurn(() -> failed = true);
    }

    final boolean hasFailed() {
        return failed;
    }
}
