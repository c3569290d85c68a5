package habemus.course.exercise;

/** What a student writes with two locks: two accounts, each with its own lock. Both start with 100. */
public interface AccountPair {

    void firstToSecond(int amount);

    void secondToFirst(int amount);

    /** The balances of both accounts at one moment. */
    Balances balances();

    /** What {@link #balances} returns. */
    record Balances(int first, int second) {}
}
