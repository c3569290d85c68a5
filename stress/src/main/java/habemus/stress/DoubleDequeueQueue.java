package habemus.stress;

/** The queue of Michael and Scott with one wrong line: a thread moves the head although another has moved it. */
public final class DoubleDequeueQueue extends MichaelScottQueue {

    @Override
    protected boolean moveHead(Node from, Node to) {
        head.set(to);
        return true;
    }
}
