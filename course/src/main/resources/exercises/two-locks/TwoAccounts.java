import habemus.course.exercise.AccountPair;

/** Two accounts, each with its own lock. */
public class TwoAccounts implements AccountPair {

    private final Object firstLock = new Object();
    private final Object secondLock = new Object();
    private int first = 100;
    private int second = 100;

    @Override
    public void firstToSecond(int amount) {
        synchronized (firstLock) {
            first -= amount;
        }
        synchronized (secondLock) {
            second += amount;
        }
    }

    @Override
    public void secondToFirst(int amount) {
        synchronized (secondLock) {
            second -= amount;
        }
        synchronized (firstLock) {
            first += amount;
        }
    }

    @Override
    public Balances balances() {
        return new Balances(first, second);
    }
}
