import habemus.course.exercise.RelayMessage;
import habemus.course.exercise.RelayTask;

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
            while (turn != thread && !message.isDone()) {
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
