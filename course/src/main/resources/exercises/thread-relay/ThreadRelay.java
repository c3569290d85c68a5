import habemus.course.exercise.RelayMessage;
import habemus.course.exercise.RelayTask;

/** Threads in a ring. Each one turns one character of the message and passes it on. */
public class ThreadRelay implements RelayTask {

    private RelayMessage message;
    private int threads;

    @Override
    public void begin(RelayMessage message, int threads) {
        this.message = message;
        this.threads = threads;
    }

    @Override
    public void run(int thread) throws InterruptedException {
        while (!message.isDone()) {
            message.turn(thread); // wait for your turn first, and pass the message on
        }
    }
}
