// jest makes its workers use colours if its own terminal has them; the code under test would use them, too
delete process.env.FORCE_COLOR;
