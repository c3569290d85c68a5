package habemus.service.algorithm;

import java.util.concurrent.atomic.LongAdder;

/** How many frames a node has sent, received, and refused: garbage, or words of a life that is over. */
public final class FrameCounters {

    private final LongAdder sent = new LongAdder();
    private final LongAdder messages = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder rejected = new LongAdder();

    void countSent(PeerFrame peerFrame) {
        sent.increment();
        if (peerFrame instanceof PeerFrame.AlgorithmMessage) {
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

    /** Of the frames that were sent, those with a message of an algorithm. */
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
