import habemus.course.exercise.RelayMessage;
import habemus.course.exercise.RelayTask;

/** Waits with if: a thread that is woken although it is not its turn goes on. */
public class ThreadRelay implements RelayTask {

    private RelayMessage message;
    private int threads;
    private int turn;

    @Override
    public synchronized void begin(RelayMessage message, int threads) {
        this.message = message;
        this.threads = threads;
    }

    @Override
    public synchronized void run(int thread) throws InterruptedException {
        while (true) {
            if (turn != thread && !message.isDone()) {
                wait();
            }
            if (message.isDone()) {
                notifyAll();
                return;
            }
            message.turn(thread);
            turn = (turn + 1) % threads;
            notifyAll();
        }
    }
}
