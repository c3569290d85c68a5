package habemus.service.log;

/** It was not proposed, and will not be. */
public final class Refused extends RuntimeException {

    private static final long serialVersionUID = 1;

    public Refused(String why) {
        super(why);
    }
}
