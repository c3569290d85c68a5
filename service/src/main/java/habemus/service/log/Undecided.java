package habemus.service.log;

/** Nobody knows whether it is committed, or will be. */
public final class Undecided extends RuntimeException {

    private static final long serialVersionUID = 1;

    public Undecided(String why) {
        super(why);
    }
}
