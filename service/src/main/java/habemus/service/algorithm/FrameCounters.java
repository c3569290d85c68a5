package habemus.service.algorithm;

import java.util.concurrent.atomic.LongAdder;

/** Counts the frames of a node. It rejects malformed frames and those of an old incarnation. */
public final class FrameCounters {

    private final LongAdder sent = new LongAdder();
    private final LongAdder messages = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder rejected = new LongAdder();

    void countSent(PeerFrame frame) {
        sent.increment();
        if (frame instanceof PeerFrame.AlgorithmMessage) {
            messages.increment();
        }
    }

    void countReceived() {
        received.increment();
    }

    void countRejected() {
        rejected.increment();
    }

    public long framesSent() {
        return sent.sum();
    }

    /** Number of sent frames that hold a message of an algorithm. */
    public long messagesSent() {
        return messages.sum();
    }

    public long framesReceived() {
        return received.sum();
    }

    public long framesRejected() {
        return rejected.sum();
    }
}
