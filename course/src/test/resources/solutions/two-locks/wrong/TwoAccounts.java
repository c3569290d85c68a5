import habemus.course.exercise.AccountPair;

/** Takes the lock of the giving account first: two transfers in opposite directions wait for each other. */
public class TwoAccounts implements AccountPair {

    private final Object firstLock = new Object();
    private final Object secondLock = new Object();
    private int first = 100;
    private int second = 100;

    @Override
    public void firstToSecond(int amount) {
        synchronized (firstLock) {
            synchronized (secondLock) {
                first -= amount;
                second += amount;
            }
        }
    }

    @Override
    public void secondToFirst(int amount) {
        synchronized (secondLock) {
            synchronized (firstLock) {
                second -= amount;
                first += amount;
            }
        }
    }

    @Override
    public Balances balances() {
        synchronized (firstLock) {
            synchronized (secondLock) {
                return new Balances(first, second);
            }
        }
    }
}
