(* Expressions over the reals, their derivatives, and identities between them decided by reflection. *)
Require Import ZArith QArith Qreals List Bool Reals Lra Lia Ring_polynom Ring_theory RealField.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

Module Kernel.

(* ---- Expressions, in variables numbered by positive integers. *)
Inductive E : Set :=
| K (n : Z) (d : positive) | V (n : positive) | Add (a b : E) | Mul (a b : E) | Opp (a : E) | Inv (a : E)
| Pow (a : E) (n : nat) | Sin (a : E) | Cos (a : E) | Sqrt (a : E) | Exp (a : E) | Log (a : E).

Definition env := positive -> R.

Fixpoint ev (r : env) (e : E) : R :=
  match e with
  | K n d => Q2R (n # d) | V n => r n | Add a b => ev r a + ev r b | Mul a b => ev r a * ev r b
  | Opp a => - ev r a | Inv a => / ev r a | Pow a n => ev r a ^ n | Sin a => sin (ev r a)
  | Cos a => cos (ev r a) | Sqrt a => sqrt (ev r a) | Exp a => exp (ev r a) | Log a => ln (ev r a)
  end.

Fixpoint eqb (a b : E) : bool :=
  match a, b with
  | K n d, K m c => Z.eqb n m && Pos.eqb d c
  | V n, V m => Pos.eqb n m
  | Add a1 a2, Add b1 b2 => eqb a1 b1 && eqb a2 b2
  | Mul a1 a2, Mul b1 b2 => eqb a1 b1 && eqb a2 b2
  | Opp a, Opp b => eqb a b
  | Inv a, Inv b => eqb a b
  | Pow a n, Pow b m => eqb a b && Nat.eqb n m
  | Sin a, Sin b => eqb a b
  | Cos a, Cos b => eqb a b
  | Sqrt a, Sqrt b => eqb a b
  | Exp a, Exp b => eqb a b
  | Log a, Log b => eqb a b
  | _, _ => false
  end.

Lemma eqb_ok : forall a b, eqb a b = true -> a = b.
Proof.
  induction a; destruct b; simpl; intros H; try discriminate H;
    try (apply andb_prop in H; destruct H as [H1 H2]); f_equal; auto.
  - now apply Z.eqb_eq.
  - now apply Pos.eqb_eq.
  - now apply Pos.eqb_eq.
  - now apply Nat.eqb_eq.
Qed.

(* ---- Derivatives: d says what the derivative of each variable is. *)
Fixpoint D (d : positive -> E) (e : E) : E :=
  match e with
  | K _ _ => K 0 1 | V n => d n
  | Add a b => Add (D d a) (D d b)
  | Mul a b => Add (Mul (D d a) b) (Mul a (D d b))
  | Opp a => Opp (D d a)
  | Inv a => Opp (Mul (D d a) (Mul (Inv a) (Inv a)))
  | Pow a n => match n with O => K 0 1 | S m => Mul (Mul (K (Z.of_nat n) 1) (D d a)) (Pow a m) end
  | Sin a => Mul (D d a) (Cos a)
  | Cos a => Opp (Mul (D d a) (Sin a))
  | Sqrt a => Mul (D d a) (Mul (K 1 2) (Inv (Sqrt a)))
  | Exp a => Mul (D d a) (Exp a)
  | Log a => Mul (D d a) (Inv a)
  end.

(* Where an expression and its derivatives have their meaning. *)
Fixpoint ok (r : env) (e : E) : Prop :=
  match e with
  | K _ _ | V _ => True
  | Add a b | Mul a b => ok r a /\ ok r b
  | Opp a | Pow a _ | Sin a | Cos a | Exp a => ok r a
  | Inv a => ok r a /\ ev r a <> 0
  | Sqrt a | Log a => ok r a /\ 0 < ev r a
  end.

(* The variables of an expression satisfy p. *)
Fixpoint all (p : positive -> bool) (e : E) : bool :=
  match e with
  | K _ _ => true | V n => p n
  | Add a b | Mul a b => all p a && all p b
  | Opp a | Pow a _ | Sin a | Cos a | Exp a | Inv a | Sqrt a | Log a => all p a
  end.

Lemma Q2R_nat n : Q2R (Z.of_nat n # 1) = INR n.
Proof. unfold Q2R. simpl. rewrite <- INR_IZR_INZ. lra. Qed.

Lemma Q2R_0 : Q2R (0 # 1) = 0. Proof. unfold Q2R. simpl. lra. Qed.
Lemma Q2R_1 : Q2R (1 # 1) = 1. Proof. unfold Q2R. simpl. lra. Qed.
Lemma Q2R_half : Q2R (1 # 2) = / 2. Proof. unfold Q2R. simpl. lra. Qed.

(* The chain rule for all of them: D is the derivative along a curve. *)
Theorem D_ok : forall (rho : R -> env) (d : positive -> E) (p : positive -> bool) (t : R),
  (forall n, p n = true -> is_derive (fun s => rho s n) t (ev (rho t) (d n))) ->
  forall e, all p e = true -> ok (rho t) e -> is_derive (fun s => ev (rho s) e) t (ev (rho t) (D d e)).
Proof.
  intros rho d p t H; induction e; simpl; intros A O.
  - rewrite Q2R_0. apply @is_derive_const.
  - auto.
  - apply andb_prop in A; destruct A, O. apply @is_derive_plus; auto.
  - apply andb_prop in A; destruct A, O. apply @is_derive_mult; auto. intros; apply Rmult_comm.
  - apply @is_derive_opp; auto.
  - destruct O. replace (- (ev (rho t) (D d e) * (/ ev (rho t) e * / ev (rho t) e)))
      with (- ev (rho t) (D d e) / ev (rho t) e ^ 2) by (field; auto).
    apply is_derive_inv; auto.
  - destruct n as [|m]; simpl.
    + rewrite Q2R_0. apply @is_derive_const.
    + change (is_derive (fun s => ev (rho s) e ^ S m) t (Q2R (Z.of_nat (S m) # 1) * ev (rho t) (D d e) * ev (rho t) e ^ m)).
      rewrite Q2R_nat.
      apply is_derive_pow; auto.
  - apply (is_derive_comp sin (fun s => ev (rho s) e)); auto. apply is_derive_sin.
  - replace (- (ev (rho t) (D d e) * sin (ev (rho t) e))) with (scal (ev (rho t) (D d e)) (- sin (ev (rho t) e)))
      by (unfold scal; simpl; unfold mult; simpl; ring).
    apply (is_derive_comp cos (fun s => ev (rho s) e)); auto. apply is_derive_cos.
  - destruct O. rewrite Q2R_half.
    replace (ev (rho t) (D d e) * (/ 2 * / sqrt (ev (rho t) e))) with (scal (ev (rho t) (D d e)) (/ (2 * sqrt (ev (rho t) e)))).
    + apply (is_derive_comp sqrt (fun s => ev (rho s) e)); auto. apply is_derive_Reals. apply derivable_pt_lim_sqrt; auto.
    + unfold scal; simpl; unfold mult; simpl. rewrite Rinv_mult; ring.
  - apply (is_derive_comp exp (fun s => ev (rho s) e)); auto. apply is_derive_exp.
  - destruct O. apply (is_derive_comp ln (fun s => ev (rho s) e)); auto. apply is_derive_Reals. apply derivable_pt_lim_ln; auto.
Qed.


(* ---- Rational coefficients, kept reduced. *)
Open Scope Q_scope.
Definition qadd (x y : Q) : Q := match x, y with n # 1, m # 1 => (n + m) # 1 | _, _ => Qred (x + y) end.
Definition qmul (x y : Q) : Q := match x, y with n # 1, m # 1 => (n * m) # 1 | _, _ => Qred (x * y) end.
Definition qsub (x y : Q) : Q := match x, y with n # 1, m # 1 => (n - m) # 1 | _, _ => Qred (x - y) end.
Definition qdiv (x y : Q) : Q * Q := if Qeq_bool y 0 then (0, x) else (Qred (x / y), 0).
Close Scope Q_scope.

Lemma Q2R_red x : Q2R (Qred x) = Q2R x. Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma qadd_ok x y : Q2R (qadd x y) = Q2R x + Q2R y.
Proof.
  rewrite <- Q2R_plus. apply Qeq_eqR. destruct x as [n [c|c|]], y as [m [d|d|]]; unfold qadd; try apply Qred_correct.
  unfold Qeq; simpl; ring.
Qed.
Lemma qmul_ok x y : Q2R (qmul x y) = Q2R x * Q2R y.
Proof.
  rewrite <- Q2R_mult. apply Qeq_eqR. destruct x as [n [c|c|]], y as [m [d|d|]]; unfold qmul; try apply Qred_correct.
  unfold Qeq; simpl; ring.
Qed.
Lemma qsub_ok x y : Q2R (qsub x y) = Q2R x - Q2R y.
Proof.
  rewrite <- Q2R_minus. apply Qeq_eqR. destruct x as [n [c|c|]], y as [m [d|d|]]; unfold qsub; try apply Qred_correct.
  unfold Qeq; simpl; ring.
Qed.

Lemma q_morph : ring_morph 0 1 Rplus Rmult Rminus Ropp eq (0 # 1)%Q (1 # 1)%Q qadd qmul qsub Qopp Qeq_bool Q2R.
Proof.
  constructor.
  - apply Q2R_0. - apply Q2R_1. - apply qadd_ok. - apply qsub_ok. - apply qmul_ok. - apply Q2R_opp.
  - intros x y H. apply Qeq_eqR. now apply Qeq_bool_eq.
Qed.
Lemma q_div : div_theory eq qadd qmul Q2R qdiv.
Proof.
  constructor. intros x y. unfold qdiv. destruct (Qeq_bool y 0) eqn:H.
  - rewrite qadd_ok, qmul_ok, Q2R_0. ring.
  - rewrite qadd_ok, qmul_ok, Q2R_red. rewrite Q2R_0. rewrite <- Q2R_mult, Rplus_0_r.
    apply Qeq_eqR. field. intro Z. apply Qeq_bool_neq in H. contradiction.
Qed.

Definition P := PExpr Q.
Definition PE (l : list R) (p : P) : R := PEeval 0 1 Rplus Rmult Rminus Ropp Q2R N.to_nat pow l p.
Definition norm (rules : list (P * P)) (p : P) : Pol Q :=
  norm_subst (0 # 1)%Q (1 # 1)%Q qadd qmul qsub Qopp Qeq_bool qdiv 30
    (mk_monpol_list (0 # 1)%Q (1 # 1)%Q qadd qmul qsub Qopp Qeq_bool qdiv rules) p.
Definition holdsP (l : list R) (rules : list (P * P)) : Prop :=
  interp_PElist 0 1 Rplus Rmult Rminus Ropp eq Q2R N.to_nat pow l rules.

Lemma norm_ok l rules p : holdsP l rules -> Peq Qeq_bool (norm rules p) (norm rules (PEc (0 # 1)%Q)) = true -> PE l p = 0.
Proof.
  intros H C. rewrite <- Q2R_0. change (PE l p = PE l (PEc (0#1)%Q)). unfold PE.
  exact (ring_correct (Eqsth R) Rext (Rth_ARth (Eqsth R) Rext RTheory) q_morph R_power_theory q_div 30 l rules p _ H C).
Qed.

(* ---- Reading expressions as fractions of polynomials: e * den k = p. *)
Definition numbers (top : positive) : list positive :=
  map Pos.of_nat (seq 1 (Pos.to_nat top)).

Lemma nth_S {A} (z : A) : forall p l, BinList.nth z (Pos.succ p) l = BinList.nth z p (tl l).
Proof.
  intros p l. transitivity (hd z (BinList.jump (Pos.succ p) (z :: l))).
  - symmetry. apply (eq_sym (BinList.nth_jump z (Pos.succ p) (z :: l))).
  - rewrite BinList.jump_succ, BinList.nth_jump.
    change (hd z (tl (BinList.jump p (z :: l))) = hd z (BinList.jump p l)).
    rewrite BinList.jump_tl. reflexivity.
Qed.

Lemma nth_seq (z : R) (f : positive -> R) : forall p k m, (Pos.to_nat p <= m)%nat ->
  BinList.nth z p (map f (map Pos.of_nat (seq (S k) m))) = f (Pos.of_nat (k + Pos.to_nat p)).
Proof.
  induction p using Pos.peano_ind; intros k m H.
  - destruct m; [lia|]. cbn [seq map BinList.nth hd]. do 2 f_equal. lia.
  - rewrite nth_S. destruct m; [lia|]. cbn [seq map tl]. rewrite IHp by lia. do 2 f_equal. lia.
Qed.

Section Read.
Variables (atoms : list (E * positive)) (top : positive).

Fixpoint atom_at (n : positive) (l : list (E * positive)) : option E :=
  match l with [] => None | (a, m) :: l => if Pos.eqb m n then Some a else atom_at n l end.
Fixpoint number (e : E) (l : list (E * positive)) : option positive :=
  match l with [] => None | (a, m) :: l => if eqb a e then Some m else number e l end.

Definition value (r : env) (n : positive) : R := match atom_at n atoms with Some a => ev r a | None => r n end.
Definition values (r : env) : list R := map (value r) (numbers top).

Definition var (e : E) (n : positive) : option P :=
  if match atom_at n atoms with Some a => eqb a e | None => eqb (V n) e end && Pos.leb n top then Some (PEX Q n) else None.
Definition atom (e : E) : option P := match number e atoms with Some n => var e n | None => None end.

Lemma values_ok r n : (n <= top)%positive -> BinList.nth 0 n (values r) = value r n.
Proof.
  intros H. unfold values, numbers. rewrite (nth_seq 0 (value r) n 0 (Pos.to_nat top)).
  - simpl. rewrite Pos2Nat.id. reflexivity.
  - lia.
Qed.
Lemma var_ok r e n p : var e n = Some p -> PE (values r) p = ev r e.
Proof.
  unfold var. intros H.
  destruct (Pos.leb n top) eqn:T; [|now rewrite andb_false_r in H].
  rewrite andb_true_r in H. apply Pos.leb_le in T.
  destruct (atom_at n atoms) as [a|] eqn:A.
  - destruct (eqb a e) eqn:Q; [|discriminate]. injection H as <-. apply eqb_ok in Q. subst.
    unfold PE. simpl. rewrite values_ok by auto. unfold value. now rewrite A.
  - destruct (eqb (V n) e) eqn:Q; [|discriminate]. injection H as <-. apply eqb_ok in Q. subst.
    unfold PE. simpl. rewrite values_ok by auto. unfold value. now rewrite A.
Qed.
Lemma atom_ok r e p : atom e = Some p -> PE (values r) p = ev r e.
Proof. unfold atom. destruct (number e atoms); [|discriminate]. apply var_ok. Qed.

Definition c0 : P := PEc (0 # 1)%Q.
Definition c1 : P := PEc (1 # 1)%Q.

(* cos and sin of a sum, by the theorem of addition. *)
Definition turn (x y : P * P) : P * P :=
  (PEsub (PEmul (fst x) (fst y)) (PEmul (snd x) (snd y)), PEadd (PEmul (snd x) (fst y)) (PEmul (fst x) (snd y))).
Fixpoint turns (n : nat) (x : P * P) : P * P := match n with O => (c1, c0) | S n => turn x (turns n x) end.
Fixpoint trig (a : E) : option (P * P) :=
  match atom (Cos a), atom (Sin a) with
  | Some c, Some s => Some (c, s)
  | _, _ =>
    match a with
    | Add x y => match trig x, trig y with Some u, Some v => Some (turn u v) | _, _ => None end
    | Opp x => match trig x with Some (c, s) => Some (c, PEopp s) | None => None end
    | Mul (K (Zpos n) 1) x => match trig x with Some u => Some (turns (Pos.to_nat n) u) | None => None end
    | Mul (K (Zneg n) 1) x =>
        match trig x with Some u => let w := turns (Pos.to_nat n) u in Some (fst w, PEopp (snd w)) | None => None end
    | K Z0 1 => Some (c1, c0)
    | _ => None
    end
  end.

Definition is_trig r a (u : P * P) := PE (values r) (fst u) = cos (ev r a) /\ PE (values r) (snd u) = sin (ev r a).
Lemma turn_ok l u v x y : PE l (fst u) = cos x /\ PE l (snd u) = sin x -> PE l (fst v) = cos y /\ PE l (snd v) = sin y ->
  PE l (fst (turn u v)) = cos (x + y) /\ PE l (snd (turn u v)) = sin (x + y).
Proof.
  intros [A B] [C F]. unfold turn, PE in *; simpl. rewrite A, B, C, F, cos_plus, sin_plus. split; ring.
Qed.
Lemma turns_ok l u x : PE l (fst u) = cos x /\ PE l (snd u) = sin x -> forall n,
  PE l (fst (turns n u)) = cos (INR n * x) /\ PE l (snd (turns n u)) = sin (INR n * x).
Proof.
  intros H; induction n.
  - simpl. unfold PE; simpl. rewrite Q2R_0, Q2R_1, Rmult_0_l, cos_0, sin_0. auto.
  - rewrite S_INR. replace ((INR n + 1) * x) with (x + INR n * x) by ring. simpl. apply turn_ok; auto.
Qed.
Lemma trig_ok r : forall a u, trig a = Some u -> is_trig r a u.
Proof.
  unfold is_trig.
  assert (X : forall a u, match atom (Cos a), atom (Sin a) with Some c, Some s => Some (c, s) | _, _ => None end = Some u ->
              PE (values r) (fst u) = cos (ev r a) /\ PE (values r) (snd u) = sin (ev r a)).
  { intros a u. destruct (atom (Cos a)) eqn:A; [|discriminate]. destruct (atom (Sin a)) eqn:B; [|discriminate].
    intros H; injection H as <-. split; [apply (atom_ok r _ _ A) | apply (atom_ok r _ _ B)]. }
  induction a; intros u H; unfold trig in H; fold trig in H;
    (destruct (atom (Cos _)) as [c|] eqn:A in H; [destruct (atom (Sin _)) as [s|] eqn:B in H; [injection H as <-; split; [apply (atom_ok r _ _ A) | apply (atom_ok r _ _ B)]|]|]); try discriminate H.
  all: try (destruct n; try discriminate H; destruct d; try discriminate H; injection H as <-; unfold PE; simpl;
            rewrite Q2R_0, Q2R_1, cos_0, sin_0; now auto).
  all: try (destruct (trig a1) as [u1|] eqn:U1; [|discriminate H]; destruct (trig a2) as [u2|] eqn:U2; [|discriminate H];
            injection H as <-; simpl ev; apply turn_ok; now auto).
  all: try (destruct (trig a) as [[c' s']|] eqn:U1; [|discriminate H]; injection H as <-; destruct (IHa _ eq_refl) as [I J];
            simpl in *; rewrite cos_neg, sin_neg; split; [exact I|]; unfold PE in *; simpl; now rewrite J).
  all: destruct a1; try discriminate H; destruct n; try discriminate H; destruct d; try discriminate H;
       destruct (trig a2) as [u2|] eqn:U2; try discriminate H; injection H as <-;
       pose proof (turns_ok (values r) u2 (ev r a2) (IHa2 _ eq_refl) (Pos.to_nat p)) as [I J]; simpl;
       unfold Q2R; simpl; rewrite INR_IZR_INZ, positive_nat_Z in I, J.
  all: try (replace (IZR (Z.pos p) * / 1 * ev r a2) with (IZR (Z.pos p) * ev r a2) by field; now auto).
  all: replace (IZR (Z.neg p) * / 1 * ev r a2) with (- (IZR (Z.pos p) * ev r a2))
         by (change (Z.neg p) with (- Z.pos p)%Z; rewrite opp_IZR; field); rewrite cos_neg, sin_neg;
       split; [exact I|]; unfold PE in *; simpl; now rewrite J.
Qed.

Definition denominators := list (E * P).
Fixpoint den (r : env) (l : denominators) (k : list nat) : R :=
  match l, k with (d, _) :: l, n :: k => ev r d ^ n * den r l k | _, _ => 1 end.
Fixpoint times (l : denominators) (k : list nat) (p : P) : P :=
  match l, k with
  | (_, q) :: l, O :: k => times l k p
  | (_, q) :: l, n :: k => times l k (PEmul (PEpow q (N.of_nat n)) p)
  | _, _ => p
  end.
Fixpoint kadd (a b : list nat) : list nat :=
  match a, b with [], b => b | a, [] => a | x :: a, y :: b => (x + y)%nat :: kadd a b end.
Fixpoint kmax (a b : list nat) : list nat :=
  match a, b with [], b => b | a, [] => a | x :: a, y :: b => Nat.max x y :: kmax a b end.
Fixpoint ksub (a b : list nat) : list nat :=
  match a, b with [], b => [] | a, [] => a | x :: a, y :: b => (x - y)%nat :: ksub a b end.
Definition kscale (n : nat) (a : list nat) : list nat := map (fun x => (x * n)%nat) a.
Fixpoint place (e : E) (l : denominators) : option (list nat) :=
  match l with
  | [] => None
  | (d, _) :: l => if eqb d e then Some [1%nat] else match place e l with Some k => Some (O :: k) | None => None end
  end.

Fixpoint rd (l : denominators) (e : E) : option (P * list nat) :=
  match e with
  | K n d => Some (PEc (n # d)%Q, [])
  | V n => match var e n with Some p => Some (p, []) | None => None end
  | Add a b =>
      match rd l a, rd l b with
      | Some (p, k), Some (q, j) => let m := kmax k j in Some (PEadd (times l (ksub m k) p) (times l (ksub m j) q), m)
      | _, _ => None end
  | Mul a b => match rd l a, rd l b with Some (p, k), Some (q, j) => Some (PEmul p q, kadd k j) | _, _ => None end
  | Opp a => match rd l a with Some (p, k) => Some (PEopp p, k) | None => None end
  | Pow a n => match rd l a with Some (p, k) => Some (PEpow p (N.of_nat n), kscale n k) | None => None end
  | Inv a => match place a l with Some k => Some (c1, k) | None => None end
  | Sin a => match trig a with Some u => Some (snd u, []) | None => None end
  | Cos a => match trig a with Some u => Some (fst u, []) | None => None end
  | Sqrt _ | Exp _ | Log _ => match atom e with Some p => Some (p, []) | None => None end
  end.

Definition sound r (l : denominators) := forall d p, In (d, p) l -> PE (values r) p = ev r d /\ ev r d <> 0.

Lemma sound_tl r x l : sound r (x :: l) -> sound r l. Proof. intros H d p I. apply H. now right. Qed.
Lemma den_add r l : forall a b, den r l (kadd a b) = den r l a * den r l b.
Proof.
  induction l as [|[d p] l IH]; intros a b.
  - destruct a, b; simpl; ring.
  - destruct a, b; simpl; try ring. rewrite pow_add, IH. ring.
Qed.
Lemma den_self r l : forall a, den r l (ksub a a) = 1.
Proof.
  induction l as [|[d p] l IH]; intros [|x a]; cbn [ksub den]; auto. rewrite Nat.sub_diag, IH. simpl. ring.
Qed.
Lemma den_sub r l : forall a b, den r l (ksub (kmax a b) a) * den r l a = den r l (kmax a b) /\
                                den r l (ksub (kmax a b) b) * den r l b = den r l (kmax a b).
Proof.
  induction l as [|[d p] l IH]; intros a b.
  - destruct a, b; simpl; try (split; ring); destruct (ksub _ _), (kmax _ _); simpl; split; try ring.
  - destruct a as [|x a], b as [|y b].
    + simpl; split; ring.
    + cbn [kmax ksub den]. rewrite Nat.sub_diag, den_self. simpl. split; ring.
    + cbn [kmax ksub den]. rewrite Nat.sub_diag, den_self. simpl. split; ring.
    + cbn [kmax ksub den]. destruct (IH a b) as [I J].
      split.
      * transitivity ((ev r d ^ (Nat.max x y - x) * ev r d ^ x) * (den r l (ksub (kmax a b) a) * den r l a)); [ring|].
        rewrite I, <- pow_add. do 2 f_equal. lia.
      * transitivity ((ev r d ^ (Nat.max x y - y) * ev r d ^ y) * (den r l (ksub (kmax a b) b) * den r l b)); [ring|].
        rewrite J, <- pow_add. do 2 f_equal. lia.
Qed.
Lemma den_scale r l n : forall a, den r l (kscale n a) = den r l a ^ n.
Proof.
  induction l as [|[d p] l IH]; intros [|x a]; simpl; try (now rewrite pow1).
  rewrite IH, Rpow_mult_distr, pow_mult. reflexivity.
Qed.
Lemma den_nz r l : sound r l -> forall k, den r l k <> 0.
Proof.
  induction l as [|[d p] l IH]; intros S [|x k]; simpl; try lra.
  apply Rmult_integral_contrapositive_currified.
  - apply pow_nonzero. apply (S d p). now left.
  - apply IH. eapply sound_tl; eauto.
Qed.
Lemma times_ok r l : sound r l -> forall k p, PE (values r) (times l k p) = den r l k * PE (values r) p.
Proof.
  induction l as [|[d q] l IH]; intros S [|x k] p; simpl; try ring.
  assert (T := sound_tl _ _ _ S). destruct (S d q (or_introl eq_refl)) as [A B].
  destruct x; rewrite IH by auto.
  - simpl. ring.
  - unfold PE in *. simpl PEeval. rewrite A. rewrite Nnat.Nat2N.id || (simpl N.to_nat; rewrite SuccNat2Pos.id_succ). ring.
Qed.
Lemma place_ok r l e : forall k, place e l = Some k -> den r l k = ev r e.
Proof.
  induction l as [|[d q] l IH]; simpl; intros k H; [discriminate|].
  destruct (eqb d e) eqn:Q.
  - injection H as <-. apply eqb_ok in Q; subst. simpl. destruct l as [|[? ?] ?]; simpl; ring.
  - destruct (place e l) eqn:F; [|discriminate]. injection H as <-. simpl. rewrite (IH _ eq_refl). ring.
Qed.

Theorem rd_ok r l : sound r l -> forall e p k, rd l e = Some (p, k) -> ev r e * den r l k = PE (values r) p.
Proof.
  intros S. assert (N : den r l [] = 1) by (destruct l as [|[? ?] ?]; reflexivity).
  induction e; simpl; intros q k H.
  - injection H as <- <-. rewrite N. unfold PE; simpl. ring.
  - destruct (var (V n) n) eqn:A; [|discriminate]. injection H as <- <-. rewrite N.
    rewrite (var_ok r _ _ _ A). simpl. ring.
  - destruct (rd l e1) as [[p1 k1]|]; [|discriminate]. destruct (rd l e2) as [[p2 k2]|]; [|discriminate].
    injection H as <- <-. unfold PE. simpl PEeval. fold (PE (values r) (times l (ksub (kmax k1 k2) k1) p1)).
    fold (PE (values r) (times l (ksub (kmax k1 k2) k2) p2)). rewrite !times_ok by auto.
    rewrite <- (IHe1 _ _ eq_refl), <- (IHe2 _ _ eq_refl). destruct (den_sub r l k1 k2) as [A B].
    transitivity (ev r e1 * (den r l (ksub (kmax k1 k2) k1) * den r l k1) + ev r e2 * (den r l (ksub (kmax k1 k2) k2) * den r l k2)).
    + rewrite A, B. ring.
    + ring.
  - destruct (rd l e1) as [[p1 k1]|]; [|discriminate]. destruct (rd l e2) as [[p2 k2]|]; [|discriminate].
    injection H as <- <-. unfold PE. simpl PEeval. fold (PE (values r) p1). fold (PE (values r) p2).
    rewrite <- (IHe1 _ _ eq_refl), <- (IHe2 _ _ eq_refl), den_add. ring.
  - destruct (rd l e) as [[p1 k1]|]; [|discriminate]. injection H as <- <-.
    unfold PE. simpl PEeval. fold (PE (values r) p1). rewrite <- (IHe _ _ eq_refl). ring.
  - destruct (place e l) eqn:F; [|discriminate]. injection H as <- <-. unfold PE; simpl. rewrite Q2R_1.
    rewrite (place_ok _ _ _ _ F). apply Rinv_l. rewrite <- (place_ok _ _ _ _ F). apply den_nz; auto.
  - destruct (rd l e) as [[p1 k1]|]; [|discriminate]. injection H as <- <-.
    unfold PE. simpl PEeval. fold (PE (values r) p1). rewrite <- (IHe _ _ eq_refl), Nnat.Nat2N.id, den_scale, Rpow_mult_distr.
    reflexivity.
  - destruct (trig e) eqn:T; [|discriminate]. injection H as <- <-. rewrite N.
    destruct (trig_ok r _ _ T) as [_ B]. rewrite B. ring.
  - destruct (trig e) eqn:T; [|discriminate]. injection H as <- <-. rewrite N.
    destruct (trig_ok r _ _ T) as [B _]. rewrite B. ring.
  - destruct (atom (Sqrt e)) eqn:A; [|discriminate]. injection H as <- <-. rewrite N.
    rewrite (atom_ok r _ _ A). simpl; ring.
  - destruct (atom (Exp e)) eqn:A; [|discriminate]. injection H as <- <-. rewrite N.
    rewrite (atom_ok r _ _ A). simpl; ring.
  - destruct (atom (Log e)) eqn:A; [|discriminate]. injection H as <- <-. rewrite N.
    rewrite (atom_ok r _ _ A). simpl; ring.
Qed.

(* The denominators, read as polynomials. *)
Fixpoint table (l : list E) : option denominators :=
  match l with
  | [] => Some []
  | d :: l => match rd [] d, table l with Some (p, []), Some t => Some ((d, p) :: t) | _, _ => None end
  end.
Lemma table_ok r : forall l t, table l = Some t -> (forall d, In d l -> ev r d <> 0) -> sound r t.
Proof.
  induction l as [|d l IH]; simpl; intros t H N.
  - injection H as <-. intros ? ? [].
  - destruct (rd [] d) as [[p [|? ?]]|] eqn:A; try discriminate. destruct (table l) eqn:T; [|discriminate].
    injection H as <-. intros e q [I|I].
    + injection I as <- <-. split; [|apply N; now left].
      rewrite <- (rd_ok r [] (fun d p (I : In (d, p) []) => match I with end) _ _ _ A). simpl. ring.
    + apply (IH _ eq_refl); auto.
Qed.

(* Rules m = p, m a monomial. *)
Fixpoint rules (l : list (E * E)) : list (P * P) :=
  match l with
  | [] => []
  | (a, b) :: l => match rd [] a, rd [] b with Some (p, []), Some (q, []) => (p, q) :: rules l | _, _ => rules l end
  end.
Lemma rules_ok r : forall l, (forall a b, In (a, b) l -> ev r a = ev r b) -> holdsP (values r) (rules l).
Proof.
  assert (S : sound r []) by (intros ? ? []).
  induction l as [|[a b] l IH]; intros H; simpl.
  - exact I.
  - assert (T : holdsP (values r) (rules l)) by (apply IH; intros; apply H; now right).
    destruct (rd [] a) as [[p [|? ?]]|] eqn:A; auto. destruct (rd [] b) as [[q [|? ?]]|] eqn:B; auto.
    unfold holdsP in *. simpl.
    assert (X : PE (values r) p = PE (values r) q).
    { rewrite <- (rd_ok r [] S _ _ _ A), <- (rd_ok r [] S _ _ _ B). simpl. rewrite (H a b); [ring | now left]. }
    destruct (rules l); [exact X | split; auto].
Qed.

Definition zero (dens : list E) (rl : list (E * E)) (e : E) : bool :=
  match table dens with
  | Some t => match rd t e with
              | Some (p, _) => let q := rules rl in Peq Qeq_bool (norm q p) (norm q c0)
              | None => false end
  | None => false
  end.
Theorem zero_ok r dens rl e : (forall d, In d dens -> ev r d <> 0) -> (forall a b, In (a, b) rl -> ev r a = ev r b) ->
  zero dens rl e = true -> ev r e = 0.
Proof.
  unfold zero. intros N H Z. destruct (table dens) as [t|] eqn:T; [|discriminate].
  destruct (rd t e) as [[p k]|] eqn:A; [|discriminate].
  assert (S := table_ok r _ _ T N). assert (B := rd_ok r t S _ _ _ A).
  rewrite (norm_ok _ _ _ (rules_ok r rl H) Z) in B.
  apply Rmult_integral in B. destruct B as [B|B]; [exact B|]. exfalso. exact (den_nz r t S k B).
Qed.
End Read.

(* ---- Substitution. *)
Fixpoint look (n : positive) (l : list (positive * E)) : option E :=
  match l with [] => None | (m, e) :: l => if Pos.eqb m n then Some e else look n l end.
Fixpoint sub (l : list (positive * E)) (e : E) : E :=
  match e with
  | K n d => K n d | V n => match look n l with Some a => a | None => V n end
  | Add a b => Add (sub l a) (sub l b) | Mul a b => Mul (sub l a) (sub l b) | Opp a => Opp (sub l a)
  | Inv a => Inv (sub l a) | Pow a n => Pow (sub l a) n | Sin a => Sin (sub l a) | Cos a => Cos (sub l a)
  | Sqrt a => Sqrt (sub l a) | Exp a => Exp (sub l a) | Log a => Log (sub l a)
  end.
Lemma sub_ok r l : (forall n a, look n l = Some a -> ev r a = r n) -> forall e, ev r (sub l e) = ev r e.
Proof.
  intros H; induction e; simpl; try congruence. destruct (look n l) eqn:A; auto.
Qed.

(* ---- Where a statement is made: these are not zero, these are positive. *)
Definition defined (nonzero positive : list E) (r : env) : Prop :=
  (forall d, In d nonzero -> ev r d <> 0) /\ (forall d, In d positive -> 0 < ev r d).
Definition member (e : E) (l : list E) : bool := existsb (eqb e) l.
Fixpoint okb (nz pz : list E) (e : E) : bool :=
  match e with
  | K _ _ | V _ => true
  | Add a b | Mul a b => okb nz pz a && okb nz pz b
  | Opp a | Pow a _ | Sin a | Cos a | Exp a => okb nz pz a
  | Inv a => okb nz pz a && member a nz
  | Sqrt a | Log a => okb nz pz a && member a pz
  end.
Lemma member_ok e l : member e l = true -> In e l.
Proof. unfold member. rewrite existsb_exists. intros [x [I H]]. apply eqb_ok in H. now subst. Qed.
Lemma okb_ok nz pz r : defined nz pz r -> forall e, okb nz pz e = true -> ok r e.
Proof.
  intros [N Q]; induction e; simpl; intros H; auto; try (apply andb_prop in H; destruct H as [A B]; split; auto).
  - apply N, member_ok; auto.
  - apply Q, member_ok; auto.
  - apply Q, member_ok; auto.
Qed.

(* ---- A mechanical system. X_i f for the functions f of the configuration, [X_i, X_j] = c_ij^k X_k. *)
Record System := {
  time : positive;
  parameters : list positive;
  functions : list positive;
  velocities : list positive;      (* v^i: the rate of f is v^i X_i f *)
  accelerations : list positive;   (* names for the rates of the v^i *)
  multipliers : list positive;     (* names for the lambda_s *)
  frame : list (list E);           (* X_i f, a row for each i *)
  structure : list (nat * nat * nat * E);
  lagrangian : E;
  forces : list E;                 (* along X_i *)
  constraints : list E;            (* vanish *)
  relations : list E               (* vanish on the configuration space: rotation matrices *)
}.

Definition Sub (a b : E) : E := Add a (Opp b).
Fixpoint total (l : list E) : E := match l with [] => K 0 1 | [x] => x | x :: l => Add x (total l) end.
Fixpoint products (a b : list E) : list E := match a, b with x :: a, y :: b => Mul x y :: products a b | _, _ => [] end.
Definition dot (a b : list E) : E := total (products a b).
Definition zeroE : E := K 0 1.
Definition partial (n : positive) (e : E) : E := D (fun m => if Pos.eqb m n then K 1 1 else K 0 1) e.
Definition along (l : list (positive * E)) (e : E) : E := D (fun n => match look n l with Some a => a | None => K 0 1 end) e.

Section Mechanics.
Variable s : System.

Definition velocity (i : nat) : positive := nth i (velocities s) 1%positive.
Definition leg (i : nat) : list (positive * E) := combine (functions s) (nth i (frame s) []).
Definition column (k : nat) : list E := map (fun row => nth k row zeroE) (frame s).
(* d/dt: functions, velocities and time change, parameters do not. *)
Definition rates : list (positive * E) :=
  (time s, K 1 1)
  :: combine (functions s) (map (fun k => dot (map V (velocities s)) (column k)) (seq 0 (length (functions s))))
  ++ combine (velocities s) (map V (accelerations s)).
Definition dt (n : positive) : E := match look n rates with Some a => a | None => K 0 1 end.
Definition state (n : positive) : bool :=
  existsb (Pos.eqb n) (time s :: parameters s ++ functions s ++ velocities s).

(* p_i = dL/dv^i, and what its rate is: X_i L - c_il^m v^l p_m + Q_i + lambda_s dC_s/dv^i. *)
Definition momentum (i : nat) : E := partial (velocity i) (lagrangian s).
Definition gyroscopic (i : nat) : list E :=
  flat_map (fun x => match x with (j, l, m, c) =>
    if Nat.eqb i j then [Mul c (Mul (V (velocity l)) (momentum m))] else [] end) (structure s).
Definition reaction (i : nat) : E := dot (map V (multipliers s)) (map (partial (velocity i)) (constraints s)).
Definition force (i : nat) : E :=
  Add (Sub (along (leg i) (lagrangian s)) (total (gyroscopic i))) (Add (nth i (forces s) zeroE) (reaction i)).

(* The motions: constraints and Lagrange-d'Alembert's equations. *)
Record motion (rho : R -> env) : Prop := {
  moves : forall t n, state n = true -> is_derive (fun u => rho u n) t (ev (rho t) (dt n));
  on_space : forall t e, In e (relations s) -> ev (rho t) e = 0;
  admissible : forall t c, In c (constraints s) -> ev (rho t) c = 0;
  dalembert : forall t i, (i < length (velocities s))%nat ->
    is_derive (fun u => ev (rho u) (momentum i)) t (ev (rho t) (force i))
}.

Definition conserved (nz pz : list E) (f : E) : Prop :=
  forall rho, motion rho -> (forall t, defined nz pz (rho t)) -> forall a b, ev (rho a) f = ev (rho b) f.
Definition vanishes (nz pz : list E) (e : E) : Prop :=
  forall rho, motion rho -> (forall t, defined nz pz (rho t)) -> forall t, ev (rho t) e = 0.
(* An identity on the configuration space, whatever moves there. *)
Definition identity (nz pz : list E) (e : E) : Prop :=
  forall r, (forall c, In c (relations s) -> ev r c = 0) -> defined nz pz r -> ev r e = 0.

(* ---- Certificates. *)
Inductive rule := Angle (x : E) | Root (a : E) | Relation (m p : E) (c : list E).
Definition equation (u : rule) : E * E :=
  match u with
  | Angle x => (Pow (Sin x) 2, Sub (K 1 1) (Pow (Cos x) 2))
  | Root a => (Pow (Sqrt a) 2, a)
  | Relation m p _ => (m, p)
  end.

Record reading := { atoms_of : list (E * positive); top_of : positive; rules_of : list rule; nz_of : list E; pz_of : list E }.
Variable g : reading.
Definition vanish0 (e : E) : bool := zero (atoms_of g) (top_of g) (nz_of g) [] e.
Definition vanish (e : E) : bool := zero (atoms_of g) (top_of g) (nz_of g) (map equation (rules_of g)) e.
Definition rule_ok (u : rule) : bool :=
  match u with
  | Angle _ => true
  | Root a => member a (pz_of g)
  | Relation m p c => vanish0 (Sub (Sub m p) (dot c (relations s)))
  end.
Definition rules_ok_b : bool := forallb rule_ok (rules_of g).

Lemma total_zero r : forall l, (forall e, In e l -> ev r e = 0) -> ev r (total l) = 0.
Proof.
  induction l as [|x l IH]; intros H; simpl.
  - apply Q2R_0.
  - destruct l; [apply H; now left|]. simpl ev in *. rewrite IH by (intros; apply H; now right).
    rewrite (H x) by now left. ring.
Qed.
Lemma dot_zero r : forall b a, (forall e, In e b -> ev r e = 0) -> ev r (dot a b) = 0.
Proof.
  intros b a H. unfold dot. apply total_zero. intros e. revert a. induction b as [|y b IH]; intros [|x a]; simpl; try tauto.
  intros [<-|I]; simpl.
  - rewrite (H y) by now left. ring.
  - apply (IH (fun e J => H e (or_intror J)) a I).
Qed.

Section Point.
Variable r : env.
Hypothesis there : forall c, In c (relations s) -> ev r c = 0.
Hypothesis def : defined (nz_of g) (pz_of g) r.

Lemma vanish0_ok e : vanish0 e = true -> ev r e = 0.
Proof. apply zero_ok; [apply def | intros ? ? []]. Qed.
Lemma rules_hold : rules_ok_b = true -> forall a b, In (a, b) (map equation (rules_of g)) -> ev r a = ev r b.
Proof.
  unfold rules_ok_b. rewrite forallb_forall. intros H a b I. apply in_map_iff in I. destruct I as [u [Q I]].
  specialize (H u I). destruct u; simpl in Q; injection Q as <- <-; simpl in H.
  - simpl. pose proof (sin2_cos2 (ev r x)) as T. unfold Rsqr in T. rewrite Q2R_1. lra.
  - simpl. rewrite Rmult_1_r. apply sqrt_def. apply Rlt_le. apply (proj2 def). now apply member_ok.
  - apply vanish0_ok in H. simpl in H. rewrite dot_zero in H by auto. lra.
Qed.
Lemma vanish_ok e : rules_ok_b = true -> vanish e = true -> ev r e = 0.
Proof. intros H. apply zero_ok; [apply def | now apply rules_hold]. Qed.
End Point.

Theorem identity_ok e : rules_ok_b && vanish e = true -> identity (nz_of g) (pz_of g) e.
Proof. intros H r T F. apply andb_prop in H. now apply vanish_ok. Qed.

(* Velocities solved for: v - phi = row . constraints. *)
Record elimination := { solved : list (positive * E); rows : list (list E) }.
Variable x : elimination.
Definition solved_ok : bool :=
  Nat.eqb (length (solved x)) (length (rows x)) &&
  forallb (fun u => match u with ((n, phi), row) => vanish (Sub (Sub (V n) phi) (dot row (constraints s))) end)
    (combine (solved x) (rows x)).
Definition well : bool :=
  rules_ok_b && solved_ok &&
  forallb (fun i => all state (momentum i) && okb (nz_of g) (pz_of g) (momentum i)) (seq 0 (length (velocities s))) &&
  forallb (fun c => all state c && okb (nz_of g) (pz_of g) c) (constraints s).

Definition facts : list E :=
  map (fun i => Sub (D dt (momentum i)) (force i)) (seq 0 (length (velocities s))) ++ map (D dt) (constraints s) ++ constraints s.
(* e is a combination of the equations, modulo the constraints. *)
Definition combination (c : list E) (e : E) : bool := vanish (sub (solved x) (Sub e (dot c facts))).

Lemma look_in n a : forall l, look n l = Some a -> In (n, a) l.
Proof.
  induction l as [|[m e] l IH]; simpl; [discriminate|]. destruct (Pos.eqb m n) eqn:Q.
  - intros H; injection H as <-. apply Pos.eqb_eq in Q. subst. now left.
  - intros H. right. auto.
Qed.
Lemma in_combine_snd {A B} : forall (l : list A) (k : list B) a, length l = length k -> In a l -> exists b, In (a, b) (combine l k).
Proof.
  induction l as [|y l IH]; intros [|z k] a H I; simpl in *; try discriminate; [tauto|].
  destruct I as [<-|I]; [exists z; now left|]. destruct (IH k a (eq_add_S _ _ H) I) as [b J]. exists b. now right.
Qed.

Section Motion.
Variable rho : R -> env.
Hypothesis moving : motion rho.
Hypothesis def : forall t, defined (nz_of g) (pz_of g) (rho t).
Hypothesis W : well = true.

Lemma well_parts : rules_ok_b = true /\ solved_ok = true /\
  (forall i, (i < length (velocities s))%nat -> all state (momentum i) = true /\ okb (nz_of g) (pz_of g) (momentum i) = true) /\
  (forall c, In c (constraints s) -> all state c = true /\ okb (nz_of g) (pz_of g) c = true).
Proof.
  unfold well in W. apply andb_prop in W as [W1 C]. apply andb_prop in W1 as [W2 M]. apply andb_prop in W2 as [R S].
  rewrite forallb_forall in C, M. repeat split; auto.
  - apply (andb_prop _ _ (M i (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) H)))).
  - apply (andb_prop _ _ (M i (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) H)))).
  - apply (andb_prop _ _ (C c H)).
  - apply (andb_prop _ _ (C c H)).
Qed.
Lemma rate_of t e : all state e = true -> okb (nz_of g) (pz_of g) e = true ->
  is_derive (fun u => ev (rho u) e) t (ev (rho t) (D dt e)).
Proof.
  intros A O. apply (D_ok rho dt state t); auto.
  - intros n H. now apply (moves rho moving).
  - apply (okb_ok (nz_of g) (pz_of g)); auto.
Qed.
Lemma facts_hold t : forall e, In e facts -> ev (rho t) e = 0.
Proof.
  destruct well_parts as [R [S [M C]]]. unfold facts. intros e I. apply in_app_iff in I as [I|I];
    [|apply in_app_iff in I as [I|I]; [|exact (admissible rho moving t e I)]]; apply in_map_iff in I as [i [<- I]].
  - apply in_seq in I. simpl in I. destruct (M i (proj2 I)) as [A O].
    pose proof (is_derive_unique _ _ _ (rate_of t _ A O)) as U1.
    pose proof (is_derive_unique _ _ _ (dalembert rho moving t i (proj2 I))) as U2.
    change (ev (rho t) (D dt (momentum i)) + - ev (rho t) (force i) = 0). rewrite <- U1, U2. apply Rplus_opp_r.
  - destruct (C i I) as [A O].
    pose proof (is_derive_unique _ _ _ (rate_of t _ A O)) as U1. rewrite <- U1.
    rewrite (Derive_ext _ (fun _ => 0)); [apply Derive_const|]. intros u. apply (admissible rho moving u i I).
Qed.
Lemma solved_hold t : forall n a, look n (solved x) = Some a -> ev (rho t) a = rho t n.
Proof.
  destruct well_parts as [R [S _]]. unfold solved_ok in S. apply andb_prop in S as [L S]. apply Nat.eqb_eq in L.
  rewrite forallb_forall in S. intros n a H. apply look_in in H. destruct (in_combine_snd _ _ _ L H) as [row J].
  specialize (S _ J). simpl in S.
  apply (vanish_ok (rho t) (on_space rho moving t) (def t) _ R) in S. simpl in S.
  rewrite dot_zero in S by (apply (admissible rho moving t)). lra.
Qed.
Theorem combination_ok c e : combination c e = true -> forall t, ev (rho t) e = 0.
Proof.
  intros H t. destruct well_parts as [R _].
  apply (vanish_ok (rho t) (on_space rho moving t) (def t) _ R) in H.
  rewrite (sub_ok (rho t) (solved x) (solved_hold t)) in H. simpl in H.
  rewrite dot_zero in H by (apply facts_hold). lra.
Qed.
End Motion.

Theorem vanishes_ok c e : well && combination c e = true -> vanishes (nz_of g) (pz_of g) e.
Proof. intros H rho M F. apply andb_prop in H as [W C]. now apply (combination_ok rho M F W c). Qed.

Theorem conserved_ok c f :
  well && (all state f && okb (nz_of g) (pz_of g) f) && combination c (D dt f) = true -> conserved (nz_of g) (pz_of g) f.
Proof.
  intros H rho M F a b. apply andb_prop in H as [H C]. apply andb_prop in H as [W H]. apply andb_prop in H as [A O].
  assert (Z : forall t, is_derive (fun u => ev (rho u) f) t 0).
  { intros t. rewrite <- (combination_ok rho M F W c _ C t). now apply rate_of. }
  destruct (Rtotal_order a b) as [L|[->|L]]; auto.
  - apply (eq_is_derive (fun u => ev (rho u) f) a b); auto.
  - symmetry. apply (eq_is_derive (fun u => ev (rho u) f) b a); auto.
Qed.
End Mechanics.

Declare Scope expr_scope.
Delimit Scope expr_scope with expr.
Module Notations.
Notation "a + b" := (Add a b) : expr_scope.
Notation "a - b" := (Sub a b) : expr_scope.
Notation "a * b" := (Mul a b) : expr_scope.
Notation "a / b" := (Mul a (Inv b)) : expr_scope.
Notation "/ a" := (Inv a) : expr_scope.
Notation "- a" := (Opp a) : expr_scope.
Notation "a ^ n" := (Pow a n%nat) : expr_scope.
Notation "# n" := (K n%Z 1) (at level 1, n at level 0, format "# n") : expr_scope.
End Notations.

(* ---- Evaluation at a point: values for variables, a rational point of the circle for angles. *)
Lemma norm_const l rules p c : holdsP l rules -> Peq Qeq_bool (norm rules p) (norm rules (PEc c)) = true -> PE l p = Q2R c.
Proof.
  intros H C. change (PE l p = PE l (PEc c)). unfold PE.
  exact (ring_correct (Eqsth R) Rext (Rth_ARth (Eqsth R) Rext RTheory) q_morph R_power_theory q_div 30 l rules p _ H C).
Qed.

Record point := { plain : list (positive * Q); turned : list (positive * (Q * Q)) }.
Definition here (x : point) (r : env) : Prop :=
  (forall n q, In (n, q) (plain x) -> r n = Q2R q) /\
  (forall n c s, In (n, (c, s)) (turned x) -> cos (r n) = Q2R c /\ sin (r n) = Q2R s).
Definition proper (x : point) : bool :=
  forallb (fun u => match u with (n, (c, s)) => Qeq_bool (c * c + s * s)%Q 1%Q end) (turned x).

Lemma angle_of c s : c * c + s * s = 1 -> exists a, cos a = c /\ sin a = s.
Proof.
  intros H. assert (B : -1 <= c <= 1) by nra.
  destruct (Rle_lt_dec 0 s).
  - exists (acos c). rewrite cos_acos, sin_acos by auto. split; auto.
    replace (1 - c²) with (s * s) by (unfold Rsqr; lra). rewrite sqrt_square; auto.
  - exists (- acos c). rewrite cos_neg, sin_neg, cos_acos, sin_acos by auto. split; auto.
    replace (1 - c²) with ((- s) * (- s)) by (unfold Rsqr; lra). rewrite sqrt_square; lra.
Qed.

Fixpoint distinct (l : list positive) : bool :=
  match l with [] => true | n :: l => negb (existsb (Pos.eqb n) l) && distinct l end.
Lemma exists_env (A : Type) (P : A -> R -> Prop) : forall l : list (positive * A),
  distinct (map fst l) = true -> (forall n a, In (n, a) l -> exists v, P a v) ->
  exists r : env, forall n a, In (n, a) l -> P a (r n).
Proof.
  induction l as [|[n a] l IH]; simpl; intros U H.
  - exists (fun _ => 0). intros ? ? [].
  - apply andb_prop in U as [F U]. destruct IH as [r I]; [auto | intros; apply (H n0 a0); now right|].
    destruct (H n a (or_introl eq_refl)) as [v Pv].
    exists (fun m => if Pos.eqb m n then v else r m). intros m b [Q|J].
    + injection Q as <- <-. rewrite Pos.eqb_refl. exact Pv.
    + destruct (Pos.eqb m n) eqn:Q.
      * apply Pos.eqb_eq in Q. subst m. exfalso. apply negb_true_iff in F.
        assert (T : existsb (Pos.eqb n) (map fst l) = true).
        { apply existsb_exists. exists n. split; [apply in_map_iff; exists (n, b); auto | apply Pos.eqb_refl]. }
        congruence.
      * auto.
Qed.
Lemma exists_point x : proper x = true -> distinct (map fst (plain x) ++ map fst (turned x)) = true -> exists r, here x r.
Proof.
  intros Pr U. unfold proper in Pr. rewrite forallb_forall in Pr.
  set (l := map (fun u => (fst u, inl (Q * Q) (snd u))) (plain x) ++ map (fun u => (fst u, inr Q (snd u))) (turned x)).
  assert (M : map fst l = map fst (plain x) ++ map fst (turned x)).
  { unfold l. rewrite map_app, !map_map. reflexivity. }
  destruct (exists_env (Q + Q * Q) (fun a v => match a with inl q => v = Q2R q | inr (c, s) => cos v = Q2R c /\ sin v = Q2R s end) l)
    as [r H].
  - now rewrite M.
  - intros n [q|[c s]] I; [now exists (Q2R q)|]. apply angle_of. unfold l in I. apply in_app_iff in I as [I|I].
    + apply in_map_iff in I as [u [E' _]]. discriminate E'.
    + apply in_map_iff in I as [[m [c' s']] [E' J]]. simpl in E'. injection E' as -> -> ->.
      specialize (Pr _ J). simpl in Pr. apply Qeq_bool_eq in Pr. apply Qeq_eqR in Pr.
      rewrite Q2R_plus, !Q2R_mult in Pr. rewrite Pr. apply Q2R_1.
  - exists r. split.
    + intros n q I. apply (H n (inl q)). unfold l. apply in_app_iff. left. apply in_map_iff. now exists (n, q).
    + intros n c s I. apply (H n (inr (c, s))). unfold l. apply in_app_iff. right. apply in_map_iff. now exists (n, (c, s)).
Qed.

Definition known (x : point) : list (E * E) :=
  map (fun u => match u with (n, q) => (V n, K (Qnum q) (Qden q)) end) (plain x) ++
  flat_map (fun u => match u with (n, (c, s)) =>
    [(Cos (V n), K (Qnum c) (Qden c)); (Sin (V n), K (Qnum s) (Qden s))] end) (turned x).
Lemma known_ok x r : here x r -> forall a b, In (a, b) (known x) -> ev r a = ev r b.
Proof.
  intros [A B] a b I. apply in_app_iff in I as [I|I].
  - apply in_map_iff in I as [[n q] [H I]]. injection H as <- <-. simpl. destruct q. now apply A.
  - apply in_flat_map in I as [[n [c s]] [I J]]. destruct (B _ _ _ I) as [C S].
    destruct J as [J|[J|[]]]; injection J as <- <-; simpl; [destruct c | destruct s]; auto.
Qed.

Section Value.
Variables (g : reading) (x : point).
(* The numerator of e is this number there. *)
Definition number_at (dens : list E) (e : E) : option (Q * list nat) :=
  match table (atoms_of g) (top_of g) dens with
  | Some t =>
      match rd (atoms_of g) (top_of g) t e with
      | Some (p, k) =>
          let rl := rules (atoms_of g) (top_of g) (known x) in
          match norm rl p with
          | Pc c => if Peq Qeq_bool (norm rl p) (norm rl (PEc c)) then Some (c, k) else None
          | _ => None end
      | None => None end
  | None => None
  end.
Definition nonzero_at (dens : list E) (e : E) : bool :=
  match number_at dens e with Some (c, _) => negb (Qeq_bool c 0) | None => false end.
Definition positive_at (e : E) : bool :=
  match number_at [] e with Some (c, []) => match (c ?= 0)%Q with Gt => true | _ => false end | _ => false end.
Definition zero_at (dens : list E) (e : E) : bool := zero (atoms_of g) (top_of g) dens (known x) e.

Variable r : env.
Hypothesis H : here x r.
Lemma number_at_ok dens e c k : (forall d, In d dens -> ev r d <> 0) -> number_at dens e = Some (c, k) ->
  exists q, q <> 0 /\ ev r e * q = Q2R c /\ (k = [] -> q = 1).
Proof.
  unfold number_at. intros N. destruct (table _ _ dens) as [t|] eqn:T; [|discriminate].
  destruct (rd _ _ t e) as [[p j]|] eqn:A; [|discriminate]. destruct (norm _ p) eqn:F; try discriminate.
  destruct (Peq _ _ _) eqn:Q; [|discriminate]. intros J. injection J as <- <-.
  assert (S := table_ok _ _ r _ _ T N). exists (den r t j).
  split; [apply (den_nz _ _ r t S)|]. split.
  - rewrite (rd_ok _ _ r t S _ _ _ A). apply (norm_const _ (rules (atoms_of g) (top_of g) (known x))).
    + apply rules_ok. now apply known_ok.
    + now rewrite F.
  - intros ->. destruct t as [|[? ?] ?]; reflexivity.
Qed.
Lemma nonzero_at_ok dens e : (forall d, In d dens -> ev r d <> 0) -> nonzero_at dens e = true -> ev r e <> 0.
Proof.
  unfold nonzero_at. intros N. destruct (number_at dens e) as [[c k]|] eqn:A; [|discriminate]. intros B Z.
  destruct (number_at_ok _ _ _ _ N A) as [q [_ [M _]]]. rewrite Z, Rmult_0_l in M.
  apply negb_true_iff in B. apply Qeq_bool_neq in B. apply B. apply eqR_Qeq. now rewrite <- M, RMicromega.Q2R_0.
Qed.
Lemma positive_at_ok e : positive_at e = true -> 0 < ev r e.
Proof.
  unfold positive_at. destruct (number_at [] e) as [[c [|]]|] eqn:A; try discriminate.
  destruct (c ?= 0)%Q eqn:C; try discriminate. intros _.
  destruct (number_at_ok [] _ _ _ (fun d (I : In d []) => match I with end) A) as [q [_ [M Z]]].
  rewrite (Z eq_refl), Rmult_1_r in M. rewrite M. apply Qgt_alt in C.
  rewrite <- RMicromega.Q2R_0. now apply Qlt_Rlt.
Qed.
End Value.

(* A state of the system at which e does not vanish. *)
Definition seen (s : System) (nz pz : list E) (e : E) : Prop :=
  exists r, (forall c, In c (relations s) -> ev r c = 0) /\ defined nz pz r /\ ev r e <> 0.
Definition seen_on_constraint (s : System) (nz pz : list E) (e : E) : Prop :=
  exists r, (forall c, In c (relations s ++ constraints s) -> ev r c = 0) /\ defined nz pz r /\ ev r e <> 0.
Definition point_ok (g : reading) (x : point) (vanishing : list E) : bool :=
  proper x && distinct (map fst (plain x) ++ map fst (turned x)) &&
  forallb (nonzero_at g x []) (nz_of g) && forallb (positive_at g x) (pz_of g) && forallb (zero_at g x (nz_of g)) vanishing.
Lemma point_there g x vanishing : point_ok g x vanishing = true ->
  exists r, here x r /\ (forall c, In c vanishing -> ev r c = 0) /\ defined (nz_of g) (pz_of g) r.
Proof.
  unfold point_ok. intros H. repeat (apply andb_prop in H as [H ?]). rewrite forallb_forall in *.
  destruct (exists_point x) as [r T]; auto. exists r. split; auto.
  assert (N : forall d, In d (nz_of g) -> ev r d <> 0).
  { intros d I. apply (nonzero_at_ok g x r T [] d (fun d (I : In d []) => match I with end)). auto. }
  split.
  - intros c I. apply (zero_ok (atoms_of g) (top_of g) r (nz_of g) (known x)); auto. now apply known_ok. apply H0. auto.
  - split; auto. intros d I. apply (positive_at_ok g x r T). auto.
Qed.
Theorem seen_ok s g x e : point_ok g x (relations s) && nonzero_at g x (nz_of g) e = true -> seen s (nz_of g) (pz_of g) e.
Proof.
  intros H. apply andb_prop in H as [A B]. destruct (point_there g x _ A) as [r [T [Z F]]]. exists r.
  split; [exact Z|]. split; [exact F|]. apply (nonzero_at_ok g x r T (nz_of g)); [apply F | exact B].
Qed.
Theorem seen_on_constraint_ok s g x e :
  point_ok g x (relations s ++ constraints s) && nonzero_at g x (nz_of g) e = true -> seen_on_constraint s (nz_of g) (pz_of g) e.
Proof.
  intros H. apply andb_prop in H as [A B]. destruct (point_there g x _ A) as [r [T [Z F]]]. exists r.
  split; [exact Z|]. split; [exact F|]. apply (nonzero_at_ok g x r T (nz_of g)); [apply F | exact B].
Qed.

(* ---- On the constraint: whatever the motion. *)
Definition on_constraint (s : System) (nz pz : list E) (e : E) : Prop :=
  forall r, (forall c, In c (relations s) -> ev r c = 0) -> (forall c, In c (constraints s) -> ev r c = 0) ->
    defined nz pz r -> ev r e = 0.
Theorem on_constraint_ok s g x e :
  rules_ok_b s g && solved_ok s g x && vanish g (sub (solved x) e) = true -> on_constraint s (nz_of g) (pz_of g) e.
Proof.
  intros H r T C F. apply andb_prop in H as [H Z]. apply andb_prop in H as [R S].
  apply (vanish_ok s g r T F _ R) in Z. rewrite (sub_ok r (solved x)) in Z; auto.
  intros n a L. unfold solved_ok in S. apply andb_prop in S as [N S]. apply Nat.eqb_eq in N.
  rewrite forallb_forall in S. apply look_in in L. destruct (in_combine_snd _ _ _ N L) as [row J].
  specialize (S _ J). simpl in S. apply (vanish_ok s g r T F _ R) in S. simpl in S.
  rewrite dot_zero in S by auto. lra.
Qed.

(* ---- Symmetries: fields xi = xi^i X_i, lifted to the velocities. *)
Section Fields.
Variable s : System.
Definition along_field (a : list E) (e : E) : E := (* a^i X_i e *)
  dot a (map (fun i => along (leg s i) e) (seq 0 (length a))).
Definition quadratic (k : nat) (a b : list E) : E := (* c_ij^k a^i b^j *)
  total (flat_map (fun y => match y with (i, j, m, c) =>
    if Nat.eqb m k then [Mul c (Mul (nth i a zeroE) (nth j b zeroE))] else [] end) (structure s)).
Definition lift (xi : list E) : list (positive * E) :=
  combine (functions s) (map (fun k => dot xi (column s k)) (seq 0 (length (functions s)))) ++
  combine (velocities s) (map (fun i => Add (along_field (map V (velocities s)) (nth i xi zeroE))
                                            (quadratic i (map V (velocities s)) xi)) (seq 0 (length (velocities s)))).
(* (L_xi Q)_j = xi Q_j + Q_i X_j xi^i - Q_i c_kj^i xi^k. *)
Definition turned_force (xi : list E) (j : nat) : E :=
  Sub (Add (along (lift xi) (nth j (forces s) zeroE)) (dot (forces s) (map (along (leg s j)) xi)))
      (total (flat_map (fun y => match y with (k, l, i, c) =>
         if Nat.eqb l j then [Mul (nth i (forces s) zeroE) (Mul c (nth k xi zeroE))] else [] end) (structure s))).
Definition symmetry (nz pz : list E) (xi : list E) : Prop :=
  identity s nz pz (along (lift xi) (lagrangian s)) /\
  (forall c, In c (constraints s) -> on_constraint s nz pz (along (lift xi) c)) /\
  (forall j, (j < length (velocities s))%nat -> on_constraint s nz pz (turned_force xi j)).
Theorem symmetry_ok g x xi :
  rules_ok_b s g && solved_ok s g x && vanish g (along (lift xi) (lagrangian s)) &&
  forallb (fun c => vanish g (sub (solved x) (along (lift xi) c))) (constraints s) &&
  forallb (fun j => vanish g (sub (solved x) (turned_force xi j))) (seq 0 (length (velocities s))) = true ->
  symmetry (nz_of g) (pz_of g) xi.
Proof.
  intros H. apply andb_prop in H as [H F]. apply andb_prop in H as [H C]. apply andb_prop in H as [H L].
  rewrite forallb_forall in C, F. split; [|split].
  - apply identity_ok. apply andb_prop in H as [R _]. now rewrite R, L.
  - intros c I. apply (on_constraint_ok s g x). rewrite H. now apply C.
  - intros j I. apply (on_constraint_ok s g x). rewrite H. apply F. apply in_seq. lia.
Qed.

(* ---- Brackets of fields, [a, b]^k = a[b^k] - b[a^k] + c_ij^k a^i b^j. *)
Definition lie (a b : list E) : list E :=
  map (fun k => Add (Sub (along_field a (nth k b zeroE)) (along_field b (nth k a zeroE))) (quadratic k a b))
      (seq 0 (length (velocities s))).
(* What a constraint says of a field: dC/dv^i a^i. *)
Definition pairing (c : E) (a : list E) : E := dot (map (fun v => partial v c) (velocities s)) a.
Definition along_D (nz pz : list E) (a : list E) : Prop :=
  forall c, In c (constraints s) -> identity s nz pz (pairing c a).
(* Two fields along D whose bracket leaves it. *)
Definition nonholonomic (nz pz : list E) : Prop :=
  exists a b c, along_D nz pz a /\ along_D nz pz b /\ In c (constraints s) /\ seen s nz pz (pairing c (lie a b)).
Definition along_D_b g (a : list E) : bool := rules_ok_b s g && forallb (fun c => vanish g (pairing c a)) (constraints s).
Lemma along_D_ok g a : along_D_b g a = true -> along_D (nz_of g) (pz_of g) a.
Proof.
  intros H c I. unfold along_D_b in H. apply andb_prop in H as [R H]. rewrite forallb_forall in H. apply identity_ok.
  rewrite R. now apply H.
Qed.
Theorem nonholonomic_ok g x a b i :
  along_D_b g a && along_D_b g b && Nat.ltb i (length (constraints s)) &&
  (point_ok g x (relations s) && nonzero_at g x (nz_of g) (pairing (nth i (constraints s) zeroE) (lie a b))) = true ->
  nonholonomic (nz_of g) (pz_of g).
Proof.
  intros H. apply andb_prop in H as [H W]. apply andb_prop in H as [H I]. apply andb_prop in H as [A B].
  exists a, b, (nth i (constraints s) zeroE). repeat split.
  - now apply along_D_ok. - now apply along_D_ok. - apply nth_In. now apply Nat.ltb_lt. - now apply (seen_ok s g x).
Qed.
(* Fields that span D: every velocity that satisfies the constraints is a combination, with these coefficients. *)
Definition spans (nz pz : list E) (legs : list (list E)) (coefficients : list E) : Prop :=
  forall i, (i < length (velocities s))%nat ->
    on_constraint s nz pz (Sub (V (velocity s i)) (dot coefficients (map (fun a => nth i a zeroE) legs))).
Definition holonomic (nz pz : list E) (legs : list (list E)) (coefficients : list E) : Prop :=
  spans nz pz legs coefficients /\ (forall a, In a legs -> along_D nz pz a) /\
  (forall a b, In a legs -> In b legs -> along_D nz pz (lie a b)).
Theorem holonomic_ok g x legs coefficients :
  rules_ok_b s g && solved_ok s g x &&
  forallb (fun i => vanish g (sub (solved x) (Sub (V (velocity s i)) (dot coefficients (map (fun a => nth i a zeroE) legs)))))
    (seq 0 (length (velocities s))) &&
  forallb (along_D_b g) legs && forallb (fun a => forallb (fun b => along_D_b g (lie a b)) legs) legs = true ->
  holonomic (nz_of g) (pz_of g) legs coefficients.
Proof.
  intros H. apply andb_prop in H as [H B]. apply andb_prop in H as [H L]. apply andb_prop in H as [H S].
  rewrite forallb_forall in B, L, S. split; [|split].
  - intros i I. apply (on_constraint_ok s g x). rewrite H. apply S. apply in_seq. lia.
  - intros a I. apply along_D_ok. auto.
  - intros a b I J. apply along_D_ok. specialize (B a I). rewrite forallb_forall in B. auto.
Qed.
End Fields.

(* ---- The motion as a vector field on (q, z): v = psi(q, z), dz/dt = F(q, z) with speeds z = Z(q, v). *)
Section Flow.
Variables (s : System) (speeds : list positive) (definitions psi F : list E).
Definition in_speeds : list (positive * E) := combine speeds definitions.
Definition is_motion (nz pz : list E) : Prop :=
  forall rho, motion s rho -> (forall t, defined nz pz (rho t)) -> forall t,
    (forall i, (i < length (velocities s))%nat -> rho t (velocity s i) = ev (rho t) (sub in_speeds (nth i psi zeroE))) /\
    (forall a, (a < length speeds)%nat ->
       is_derive (fun u => ev (rho u) (nth a definitions zeroE)) t (ev (rho t) (sub in_speeds (nth a F zeroE)))).
Theorem is_motion_ok g x (zero_rows rows_of : list (list E)) :
  well s g x &&
  forallb (fun i => combination s g x (nth i zero_rows []) (Sub (V (velocity s i)) (sub in_speeds (nth i psi zeroE))))
    (seq 0 (length (velocities s))) &&
  forallb (fun a => all (state s) (nth a definitions zeroE) && okb (nz_of g) (pz_of g) (nth a definitions zeroE) &&
     combination s g x (nth a rows_of []) (Sub (D (dt s) (nth a definitions zeroE)) (sub in_speeds (nth a F zeroE))))
    (seq 0 (length speeds)) = true ->
  is_motion (nz_of g) (pz_of g).
Proof.
  intros H rho M N t. apply andb_prop in H as [H B]. apply andb_prop in H as [W A]. rewrite forallb_forall in A, B. split.
  - intros i I. assert (J : In i (seq 0 (length (velocities s)))) by (apply in_seq; lia). specialize (A i J).
    apply (combination_ok s g x rho M N W) with (t := t) in A. simpl in A. lra.
  - intros a I. assert (J : In a (seq 0 (length speeds))) by (apply in_seq; lia). specialize (B a J).
    apply andb_prop in B as [B C]. apply andb_prop in B as [B O].
    apply (combination_ok s g x rho M N W) with (t := t) in C.
    change (ev (rho t) (D (dt s) (nth a definitions zeroE)) + - ev (rho t) (sub in_speeds (nth a F zeroE)) = 0) in C.
    replace (ev (rho t) (sub in_speeds (nth a F zeroE))) with (ev (rho t) (D (dt s) (nth a definitions zeroE))) by lra.
    apply (rate_of s g rho M N); auto.
Qed.

(* d/dt along the field, and its divergence: X_i psi^i - psi^i c_ij^j + dF^a/dz^a. Legs of a Lie algebra without its group move no
   function and have no volume. *)
Definition moving (j : nat) : bool := existsb (fun e => negb (eqb e zeroE)) (nth j (frame s) []).
Definition flow : list (positive * E) :=
  (time s, K 1 1) :: combine (functions s) (map (fun k => dot psi (column s k)) (seq 0 (length (functions s)))) ++ combine speeds F.
Definition divergence : E :=
  Add (total (map (fun i => along (leg s i) (nth i psi zeroE)) (seq 0 (length psi))))
      (Sub (total (map (fun a => partial (nth a speeds 1%positive) (nth a F zeroE)) (seq 0 (length speeds))))
           (total (flat_map (fun y => match y with (i, j, k, c) =>
              if Nat.eqb j k && moving j then [Mul c (nth i psi zeroE)] else [] end) (structure s)))).
(* The density is invariant, and not zero: at a point, or wherever it is defined. *)
Definition invariant_density (nz pz : list E) (density : E) : Prop :=
  identity s nz pz (Add (along flow density) (Mul density divergence)) /\
  (seen s nz pz density \/ forall r, defined nz pz r -> 0 < ev r density).
Fixpoint positive_b (pz : list E) (e : E) : bool :=
  member e pz ||
  match e with
  | K n _ => Z.ltb 0 n
  | Add a b | Mul a b => positive_b pz a && positive_b pz b
  | Inv a | Pow a _ => positive_b pz a
  | Sqrt a => member a pz
  | Exp _ => true
  | _ => false
  end.
Lemma positive_b_ok nz pz r : defined nz pz r -> forall e, positive_b pz e = true -> 0 < ev r e.
Proof.
  intros [_ Q]. induction e; simpl; intros H; apply orb_prop in H as [H|H];
    try (apply (Q _ (member_ok _ _ H))); try discriminate H.
  - apply Z.ltb_lt in H. unfold Q2R. simpl. apply Rmult_lt_0_compat; [now apply IZR_lt|]. apply Rinv_0_lt_compat. apply IZR_lt. lia.
  - apply andb_prop in H as [A B]. apply Rplus_lt_0_compat; auto.
  - apply andb_prop in H as [A B]. apply Rmult_lt_0_compat; auto.
  - apply Rinv_0_lt_compat; auto.
  - apply pow_lt; auto.
  - apply sqrt_lt_R0. apply (Q _ (member_ok _ _ H)).
  - apply exp_pos.
Qed.
Theorem positive_density_ok g density :
  rules_ok_b s g && vanish g (Add (along flow density) (Mul density divergence)) && positive_b (pz_of g) density = true ->
  invariant_density (nz_of g) (pz_of g) density.
Proof.
  intros H. apply andb_prop in H as [H P]. split; [now apply identity_ok|]. right. intros r G. now apply (positive_b_ok (nz_of g) (pz_of g)).
Qed.
Theorem invariant_density_ok g y density :
  rules_ok_b s g && vanish g (Add (along flow density) (Mul density divergence)) &&
  (point_ok g y (relations s) && nonzero_at g y (nz_of g) density) = true -> invariant_density (nz_of g) (pz_of g) density.
Proof.
  intros H. apply andb_prop in H as [H P]. split; [now apply identity_ok | left; now apply (seen_ok s g y)].
Qed.
End Flow.

(* ---- The bracket of the motion on D*, in the frame (X_i, d/dp_a): pi^{ia} = X_a^i, pi^{ab} = -<P, [X_a, X_b]>, P = dL/dv at v = z^a X_a
   with z(q, p) the speeds by the momenta p_a = <P, X_a>. *)
Section Bracket.
Variables (s : System) (legs : list (list E)) (momenta : list positive) (z : list E).
Definition rank_D : nat := length legs.
Definition dim_Q : nat := length (velocities s).
Definition leg_D (a : nat) : list E := nth a legs [].
Definition by_momenta : list (positive * E) :=
  combine (velocities s) (map (fun i => dot z (map (fun a => nth i a zeroE) legs)) (seq 0 dim_Q)).
Definition impulse (i : nat) : E := sub by_momenta (momentum s i).
Definition with_impulse (a : list E) : E := dot (map impulse (seq 0 dim_Q)) a.
Definition pi_D (i j : nat) : E :=
  match Nat.ltb i dim_Q, Nat.ltb j dim_Q with
  | true, true => zeroE
  | true, false => nth i (leg_D (j - dim_Q)) zeroE
  | false, true => Opp (nth j (leg_D (i - dim_Q)) zeroE)
  | false, false =>
      if Nat.eqb i j then zeroE else Opp (with_impulse (lie s (leg_D (i - dim_Q)) (leg_D (j - dim_Q))))
  end.
Definition slope (l : nat) (f : E) : E :=
  if Nat.ltb l dim_Q then along (leg s l) f else partial (nth (l - dim_Q) momenta 1%positive) f.
Definition cyclic (i j k : nat) : E :=
  Sub (total (map (fun l => Mul (pi_D l k) (slope l (pi_D i j))) (seq 0 (dim_Q + rank_D))))
      (total (flat_map (fun y => match y with (l, m, n, c) =>
         if Nat.eqb n k then [Mul c (Mul (pi_D l i) (pi_D m j))] else [] end) (structure s))).
Definition jacobiator (i j k : nat) : E := Add (cyclic i j k) (Add (cyclic j k i) (cyclic k i j)).

(* The legs are along D, and the momenta are theirs. *)
Definition bracket_of_motion (nz pz : list E) : Prop :=
  (forall a, In a legs -> along_D s nz pz a) /\
  (forall a, (a < rank_D)%nat -> identity s nz pz (Sub (with_impulse (leg_D a)) (V (nth a momenta 1%positive)))).
Definition not_poisson (nz pz : list E) : Prop :=
  bracket_of_motion nz pz /\ exists i j k, seen s nz pz (jacobiator i j k).
(* Jacobi's identity for functions whose differentials have these components; all of them, or those of the momenta alone. *)
Definition poisson (nz pz : list E) (first : nat) : Prop :=
  bracket_of_motion nz pz /\
  forall i j k, In i (seq first (dim_Q + rank_D - first)) -> In j (seq first (dim_Q + rank_D - first)) ->
    In k (seq first (dim_Q + rank_D - first)) -> identity s nz pz (jacobiator i j k).
Definition bracket_b g : bool :=
  rules_ok_b s g && forallb (along_D_b s g) legs &&
  forallb (fun a => vanish g (Sub (with_impulse (leg_D a)) (V (nth a momenta 1%positive)))) (seq 0 rank_D).
Lemma bracket_ok g : bracket_b g = true -> bracket_of_motion (nz_of g) (pz_of g).
Proof.
  unfold bracket_b. intros H. apply andb_prop in H as [H L]. apply andb_prop in H as [R A]. rewrite forallb_forall in A, L. split.
  - intros a I. apply along_D_ok. auto.
  - intros a I. apply identity_ok. rewrite R. apply L. apply in_seq. lia.
Qed.
Theorem not_poisson_ok g x i j k :
  bracket_b g && (point_ok g x (relations s) && nonzero_at g x (nz_of g) (jacobiator i j k)) = true ->
  not_poisson (nz_of g) (pz_of g).
Proof.
  intros H. apply andb_prop in H as [B W]. split; [now apply bracket_ok|]. exists i, j, k. now apply (seen_ok s g x).
Qed.
Theorem poisson_ok g first :
  bracket_b g &&
  forallb (fun i => forallb (fun j => forallb (fun k => vanish g (jacobiator i j k))
    (seq first (dim_Q + rank_D - first))) (seq first (dim_Q + rank_D - first))) (seq first (dim_Q + rank_D - first)) = true ->
  poisson (nz_of g) (pz_of g) first.
Proof.
  intros H. apply andb_prop in H as [B W]. split; [now apply bracket_ok|]. rewrite forallb_forall in W. intros i j k I J L.
  apply identity_ok. unfold bracket_b in B. apply andb_prop in B as [B _]. apply andb_prop in B as [R _]. rewrite R.
  specialize (W i I). rewrite forallb_forall in W. specialize (W j J). rewrite forallb_forall in W. now apply W.
Qed.
End Bracket.

(* ---- Not constant: at a state of the system the rate of f along every motion through it is not zero. *)
Definition not_conserved (s : System) (nz pz : list E) (f : E) : Prop :=
  exists r, (forall c, In c (relations s ++ constraints s) -> ev r c = 0) /\ defined nz pz r /\
    forall rho t, motion s rho -> (forall u, defined nz pz (rho u)) -> (forall n, state s n = true -> rho t n = r n) ->
      exists d, is_derive (fun u => ev (rho u) f) t d /\ d <> 0.
Lemma ev_ext r q p : (forall n, p n = true -> r n = q n) -> forall e, all p e = true -> ev r e = ev q e.
Proof.
  intros H. induction e; simpl; intros A; auto; try (apply andb_prop in A as [A B]; rewrite IHe1, IHe2; auto); rewrite IHe; auto.
Qed.
Theorem not_conserved_ok s g x y c f rate :
  well s g x && (all (state s) f && okb (nz_of g) (pz_of g) f) && all (state s) rate &&
  combination s g x c (Sub (D (dt s) f) rate) &&
  (point_ok g y (relations s ++ constraints s) && nonzero_at g y (nz_of g) rate) = true ->
  not_conserved s (nz_of g) (pz_of g) f.
Proof.
  intros H. apply andb_prop in H as [H P]. apply andb_prop in H as [H C]. apply andb_prop in H as [H S].
  apply andb_prop in H as [W F]. apply andb_prop in F as [A O]. apply andb_prop in P as [P N].
  destruct (point_there g y _ P) as [r [T [Z G]]]. exists r. split; [exact Z|]. split; [exact G|].
  intros rho t M U Q. exists (ev (rho t) (D (dt s) f)). split; [now apply (rate_of s g rho M U)|].
  apply (combination_ok s g x rho M U W) with (t := t) in C.
  change (ev (rho t) (D (dt s) f) + - ev (rho t) rate = 0) in C.
  replace (ev (rho t) (D (dt s) f)) with (ev (rho t) rate) by lra.
  rewrite (ev_ext (rho t) r (state s) Q rate S).
  apply (nonzero_at_ok g y r T (nz_of g)); [apply G | exact N].
Qed.

(* ---- Lagrange's expressions along the field: d/dt P_i - A_i + c_il^m psi^l P_m, P_i and A_i functions of (q, z). *)
Section Lagrange.
Variables (s : System) (speeds : list positive) (psi F : list E).
Definition on_D : list (positive * E) := combine (velocities s) psi.
Definition lagrange (P A : nat -> E) (i : nat) : E :=
  Add (Sub (along (flow s speeds psi F) (P i)) (A i))
      (total (flat_map (fun y => match y with (j, l, m, c) =>
         if Nat.eqb i j then [Mul c (Mul (nth l psi zeroE) (P m))] else [] end) (structure s))).
(* E_i(L - mu_a C^a) = Q_i along the motion: it makes the action stationary, with these multipliers. *)
Definition momentum_with (mu : list E) (i : nat) : E :=
  Sub (sub on_D (momentum s i)) (dot mu (map (fun c => sub on_D (partial (velocity s i) c)) (constraints s))).
Definition slope_with (mu : list E) (i : nat) : E :=
  Sub (sub on_D (along (leg s i) (lagrangian s))) (dot mu (map (fun c => sub on_D (along (leg s i) c)) (constraints s))).
Definition variational (nz pz : list E) (mu : list E) : Prop :=
  forall i, (i < length (velocities s))%nat ->
    identity s nz pz (Sub (lagrange (momentum_with mu) (slope_with mu) i) (sub on_D (nth i (forces s) zeroE))).
Theorem variational_ok g mu :
  rules_ok_b s g && forallb (fun i => vanish g (Sub (lagrange (momentum_with mu) (slope_with mu) i)
    (sub on_D (nth i (forces s) zeroE)))) (seq 0 (length (velocities s))) = true -> variational (nz_of g) (pz_of g) mu.
Proof.
  intros H i I. apply andb_prop in H as [R H]. rewrite forallb_forall in H. apply identity_ok. rewrite R. apply H. apply in_seq. lia.
Qed.
(* Without constraints the Lagrangian l has the motions among its own: E_i(l) = 0 along them. *)
Definition has_motions (nz pz : list E) (l : E) : Prop :=
  forall i, (i < length (velocities s))%nat ->
    identity s nz pz (lagrange (fun j => sub on_D (partial (velocity s j) l)) (fun j => sub on_D (along (leg s j) l)) i).
Theorem has_motions_ok g l :
  rules_ok_b s g && forallb (fun i => vanish g
    (lagrange (fun j => sub on_D (partial (velocity s j) l)) (fun j => sub on_D (along (leg s j) l)) i))
    (seq 0 (length (velocities s))) = true -> has_motions (nz_of g) (pz_of g) l.
Proof.
  intros H i I. apply andb_prop in H as [R H]. rewrite forallb_forall in H. apply identity_ok. rewrite R. apply H. apply in_seq. lia.
Qed.

End Lagrange.
End Kernel.
