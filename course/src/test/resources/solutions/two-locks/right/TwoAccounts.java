import habemus.course.exercise.AccountPair;

public class TwoAccounts implements AccountPair {

    private final Object firstLock = new Object();
    private final Object secondLock = new Object();
    private int first = 100;
    private int second = 100;

    @Override
    public void firstToSecond(int amount) {
        move(amount);
    }

    @Override
    public void secondToFirst(int amount) {
        move(-amount);
    }

    private void move(int amount) {
        synchronized (firstLock) {
            synchronized (secondLock) {
                first -= amount;
                second += amount;
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
