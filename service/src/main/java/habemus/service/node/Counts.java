package habemus.service.node;

import java.util.concurrent.atomic.LongAdder;

/** How many frames a node has sent, received, and refused: garbage, or words of a life that is over. */
public final class Counts {

    private final LongAdder sent = new LongAdder();
    private final LongAdder messages = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder refused = new LongAdder();

    void sent(Frame frame) {
        sent.increment();
        if (frame instanceof Frame.Carry) {
            messages.increment();
        }
    }

    void received() {
        received.increment();
    }

    void refused() {
        refused.increment();
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

    public long framesRefused() {
        return refused.sum();
    }
}
