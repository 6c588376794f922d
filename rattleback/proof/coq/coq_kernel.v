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


(* ---- Zeros and ones that derivatives leave behind are dropped before an expression is read. *)
Definition is0 (e : E) : bool := match e with K Z0 _ => true | _ => false end.
Definition is1 (e : E) : bool := match e with K (Zpos xH) xH => true | _ => false end.
Fixpoint simp (e : E) : E :=
  match e with
  | Add a b => let a := simp a in let b := simp b in if is0 a then b else if is0 b then a else Add a b
  | Mul a b =>
      let a := simp a in
      if is0 a then K 0 1 else
      let b := simp b in
      if is0 b then K 0 1 else if is1 a then b else if is1 b then a else Mul a b
  | Opp a => let a := simp a in if is0 a then K 0 1 else Opp a
  | Pow a n => match n with O => K 1 1 | S O => simp a | _ => let a := simp a in if is0 a then K 0 1 else Pow a n end
  | _ => e
  end.
Lemma is0_ok r e : is0 e = true -> ev r e = 0.
Proof. destruct e; try discriminate. destruct n; try discriminate. intros _. simpl. unfold Q2R. simpl. ring. Qed.
Lemma is1_ok r e : is1 e = true -> ev r e = 1.
Proof.
  destruct e; try discriminate. destruct n as [|[p|p|]|]; try discriminate. destruct d; try discriminate.
  intros _. exact Q2R_1.
Qed.
Lemma simp_ok r : forall e, ev r (simp e) = ev r e.
Proof.
  induction e; simpl; auto.
  - destruct (is0 (simp e1)) eqn:A; [|destruct (is0 (simp e2)) eqn:B]; simpl; try congruence.
    + apply (is0_ok r) in A. rewrite <- IHe1, A, IHe2. ring.
    + apply (is0_ok r) in B. rewrite <- IHe2, B, IHe1. ring.
  - destruct (is0 (simp e1)) eqn:A.
    { apply (is0_ok r) in A. rewrite <- IHe1, A. simpl. rewrite Q2R_0. ring. }
    destruct (is0 (simp e2)) eqn:B.
    { apply (is0_ok r) in B. rewrite <- IHe2, B. simpl. rewrite Q2R_0. ring. }
    destruct (is1 (simp e1)) eqn:C; [|destruct (is1 (simp e2)) eqn:G]; simpl; try congruence.
    + apply (is1_ok r) in C. rewrite <- IHe1, C, IHe2. ring.
    + apply (is1_ok r) in G. rewrite <- IHe2, G, IHe1. ring.
  - destruct (is0 (simp e)) eqn:A; simpl; try congruence.
    apply (is0_ok r) in A. rewrite <- IHe, A, Q2R_0. ring.
  - destruct n as [|[|n]].
    + simpl. apply Q2R_1.
    + rewrite IHe. simpl. ring.
    + destruct (is0 (simp e)) eqn:A; simpl; try congruence.
      apply (is0_ok r) in A. rewrite <- IHe, A, Q2R_0. ring.
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
Definition holdsP (l : list R) (rules : list (P * P)) : Prop :=
  interp_PElist 0 1 Rplus Rmult Rminus Ropp eq Q2R N.to_nat pow l rules.

(* ---- Polynomials modulo rules m = q, m a monomial. The library's MFactor does not find monomials with a gap between their variables
   (x1*x3 in x1*x3: it leaves a shift of a shift unmerged), so the quotient is formed here. *)
Definition val (l : list R) (p : Pol Q) : R := Pphi 0 Rplus Rmult Q2R l p.
Definition mval (l : list R) (m : Mon) : R := Mphi 0 1 Rmult l m.
Definition px := mkPX (0 # 1)%Q Qeq_bool.
Definition after (m : Mon) : Mon := match m with mon0 => mon0 | zmon k m => zmon (Pos.succ k) m | vmon _ _ => zmon 1 m end.
Definition pzero : Pol Q := Pc (0 # 1)%Q.
(* p = fst + m * snd. *)
Fixpoint quotient (p : Pol Q) (m : Mon) {struct p} : Pol Q * Pol Q :=
  match p, m with
  | _, mon0 => (pzero, p)
  | Pc _, _ => (p, pzero)
  | Pinj j a, zmon k n =>
      match Pos.compare j k with
      | Eq => let (r, q) := quotient a n in (mkPinj j r, mkPinj j q)
      | Lt => let (r, q) := quotient a (zmon (k - j) n) in (mkPinj j r, mkPinj j q)
      | Gt => (p, pzero)
      end
  | Pinj _ _, vmon _ _ => (p, pzero)
  | PX a i b, zmon j n =>
      let (r1, q1) := quotient a m in let (r2, q2) := quotient b (zmon_pred j n) in (px r1 i r2, px q1 i q2)
  | PX a i b, vmon j n =>
      match Pos.compare i j with
      | Eq => let (r, q) := quotient a (after n) in (px r i b, q)
      | Lt => let (r, q) := quotient a (vmon (j - i) n) in (px r i b, q)
      | Gt => let (r, q) := quotient a (after n) in (px r i b, px q (i - j) pzero)
      end
  end.
Definition Rth := Rth_ARth (Eqsth R) Rext RTheory.
Lemma px_ok l a i b : val l (px a i b) = val l a * pow_pos Rmult (hd 0 l) i + val (tl l) b.
Proof. exact (mkPX_ok (Eqsth R) Rext Rth q_morph l a i b). Qed.
Lemma pinj_ok j l a : val l (mkPinj j a) = val (BinList.jump j l) a.
Proof. exact (mkPinj_ok 0 Rplus Rmult (Eqsth R) Q2R j l a). Qed.
Lemma pzero_ok l : val l pzero = 0. Proof. exact Q2R_0. Qed.
Lemma pow_pos_plus x i j : pow_pos Rmult x (i + j) = pow_pos Rmult x i * pow_pos Rmult x j.
Proof. apply (Ring_theory.pow_pos_add (Eqsth R) (Rmul_ext Rext) (ARmul_assoc Rth)). Qed.
Lemma after_ok l m : mval l (after m) = mval (tl l) m.
Proof.
  destruct m as [|k m|i m]; try reflexivity. unfold mval. cbn [after Mphi]. f_equal. rewrite BinList.jump_succ. exact (BinList.jump_tl k l).
Qed.
Lemma quotient_ok : forall p m l, val l p = val l (fst (quotient p m)) + mval l m * val l (snd (quotient p m)).
Proof.
  assert (One : forall p l, val l p = val l pzero + mval l mon0 * val l p) by (intros; rewrite pzero_ok; unfold mval; simpl; ring).
  assert (None : forall p m l, val l p = val l p + mval l m * val l pzero) by (intros; rewrite pzero_ok; ring).
  induction p as [c|j a IH|a IHa i b IHb]; intros m l; destruct m as [|k n|k n]; try exact (One _ l); try exact (None _ _ l); cbn [quotient].
  - destruct (Pos.compare_spec j k) as [->|L|G]; try exact (None _ _ l).
    + specialize (IH n (BinList.jump k l)). destruct (quotient a n) as [r q]. cbn [fst snd] in *. rewrite !pinj_ok. exact IH.
    + specialize (IH (zmon (k - j) n) (BinList.jump j l)). destruct (quotient a (zmon (k - j) n)) as [r q]. cbn [fst snd] in *. rewrite !pinj_ok.
      change (val (BinList.jump j l) a = val (BinList.jump j l) r + mval (BinList.jump k l) n * val (BinList.jump j l) q).
      rewrite IH. unfold mval at 1. simpl. fold (mval (BinList.jump (k - j) (BinList.jump j l)) n).
      rewrite <- BinList.jump_add, Pos.sub_add by exact L. reflexivity.
  - specialize (IHa (zmon k n) l). specialize (IHb (zmon_pred k n) (tl l)).
    destruct (quotient a (zmon k n)) as [r1 q1], (quotient b (zmon_pred k n)) as [r2 q2]. cbn [fst snd] in *. rewrite !px_ok.
    change (val l (PX a i b)) with (val l a * pow_pos Rmult (hd 0 l) i + val (tl l) b). rewrite IHa, IHb.
    assert (Q : mval (tl l) (zmon_pred k n) = mval l (zmon k n)) by exact (zmon_pred_ok 0 1 Rmult (Eqsth R) n k l). rewrite Q. ring.
  - change (val l (PX a i b)) with (val l a * pow_pos Rmult (hd 0 l) i + val (tl l) b).
    assert (V0 : forall k, mval l (vmon k n) = mval (tl l) n * pow_pos Rmult (hd 0 l) k) by reflexivity. rewrite V0.
    destruct (Pos.compare_spec i k) as [->|L|G].
    + specialize (IHa (after n) l). destruct (quotient a (after n)) as [r q]. cbn [fst snd] in *. rewrite px_ok, IHa, after_ok. ring.
    + specialize (IHa (vmon (k - i) n) l). destruct (quotient a (vmon (k - i) n)) as [r q]. cbn [fst snd] in *. rewrite px_ok, IHa, V0.
      replace (pow_pos Rmult (hd 0 l) k) with (pow_pos Rmult (hd 0 l) (k - i) * pow_pos Rmult (hd 0 l) i).
      * ring. * rewrite <- pow_pos_plus, Pos.sub_add by exact L. reflexivity.
    + specialize (IHa (after n) l). destruct (quotient a (after n)) as [r q]. cbn [fst snd] in *. rewrite !px_ok, IHa, after_ok, pzero_ok.
      replace (pow_pos Rmult (hd 0 l) i) with (pow_pos Rmult (hd 0 l) (i - k) * pow_pos Rmult (hd 0 l) k).
      * ring. * rewrite <- pow_pos_plus, Pos.sub_add by exact G. reflexivity.
Qed.

Definition padd := Padd (0 # 1)%Q qadd Qeq_bool.
Definition pmul := Pmul (0 # 1)%Q (1 # 1)%Q qadd qmul Qeq_bool.
Definition is_pzero (p : Pol Q) : bool := match p with Pc c => Qeq_bool c (0 # 1)%Q | _ => false end.
(* m is replaced by q as often as it occurs, at most n times; whether it did. *)
Fixpoint replaced (n : nat) (p : Pol Q) (m : Mon) (q : Pol Q) : Pol Q * bool :=
  match n with
  | O => (p, false)
  | S n => let (r, s) := quotient p m in if is_pzero s then (p, false) else (fst (replaced n (padd r (pmul q s)) m q), true)
  end.
Fixpoint pass (p : Pol Q) (rules : list (Q * Mon * Pol Q)) : Pol Q * bool :=
  match rules with
  | [] => (p, false)
  | (c, m, q) :: rules =>
      if Qeq_bool c (1 # 1)%Q then
        let (p1, b1) := replaced 30 p m q in let (p2, b2) := pass p1 rules in (p2, b1 || b2)
      else pass p rules
  end.
Fixpoint passes (n : nat) (p : Pol Q) (rules : list (Q * Mon * Pol Q)) : Pol Q :=
  match n with O => p | S n => let (q, b) := pass p rules in if b then passes n q rules else q end.
Definition norm (rules : list (P * P)) (p : P) : Pol Q :=
  passes 30 (norm_aux (0 # 1)%Q (1 # 1)%Q qadd qmul qsub Qopp Qeq_bool p)
    (mk_monpol_list (0 # 1)%Q (1 # 1)%Q qadd qmul qsub Qopp Qeq_bool qdiv rules).

Definition rules_hold_at (l : list R) (rules : list (Q * Mon * Pol Q)) : Prop :=
  forall c m q, In (c, m, q) rules -> Q2R c * mval l m = val l q.
Lemma padd_ok l p q : val l (padd p q) = val l p + val l q.
Proof. exact (Padd_ok (Eqsth R) Rext Rth q_morph q p l). Qed.
Lemma pmul_ok l p q : val l (pmul p q) = val l p * val l q.
Proof. exact (Pmul_ok (Eqsth R) Rext Rth q_morph p q l). Qed.
Lemma replaced_ok l m q : mval l m = val l q -> forall n p, val l (fst (replaced n p m q)) = val l p.
Proof.
  intros H. induction n as [|n IH]; intros p; simpl; auto. pose proof (quotient_ok p m l) as Q. destruct (quotient p m) as [r s].
  destruct (is_pzero s); simpl in *; auto. now rewrite IH, padd_ok, pmul_ok, <- H, Q.
Qed.
Lemma pass_ok l : forall rules, rules_hold_at l rules -> forall p, val l (fst (pass p rules)) = val l p.
Proof.
  induction rules as [|[[c m] q] rules IH]; intros H p; [reflexivity|]; cbn [pass].
  assert (T : rules_hold_at l rules) by (intros a b d I; apply H; now right). specialize (IH T).
  destruct (Qeq_bool c (1 # 1)%Q) eqn:C; auto.
  assert (M : mval l m = val l q).
  { rewrite <- (H c m q (or_introl eq_refl)). apply Qeq_bool_eq, Qeq_eqR in C. rewrite C, Q2R_1. ring. }
  pose proof (replaced_ok l m q M 30 p) as X. destruct (replaced 30 p m q) as [p1 b1]. cbn [fst] in X. specialize (IH p1).
  destruct (pass p1 rules) as [p2 b2]. cbn [fst] in *. congruence.
Qed.
Lemma passes_ok l rules : rules_hold_at l rules -> forall n p, val l (passes n p rules) = val l p.
Proof.
  intros H. induction n as [|n IH]; intros p; simpl; auto. pose proof (pass_ok l rules H p) as X. destruct (pass p rules) as [q b].
  simpl in X. destruct b; [rewrite IH|]; exact X.
Qed.
Lemma norm_value l rules p : holdsP l rules -> PE l p = val l (norm rules p).
Proof.
  intros H. unfold norm. rewrite passes_ok.
  - exact (norm_aux_spec (Eqsth R) Rext Rth q_morph R_power_theory l p).
  - pose proof (interp_PElist_ok (Eqsth R) Rext Rth q_morph R_power_theory q_div l rules H) as M. clear H.
    intros c m q I. revert M I. generalize (mk_monpol_list (0 # 1)%Q (1 # 1)%Q qadd qmul qsub Qopp Qeq_bool qdiv rules).
    induction l0 as [|[[c' m'] q'] l0 IH]; simpl; [tauto|]. intros [A B] [J|J]; [injection J as -> -> ->; exact A | auto].
Qed.
Lemma norm_same l rules p q : holdsP l rules -> Peq Qeq_bool (norm rules p) (norm rules q) = true -> PE l p = PE l q.
Proof.
  intros H C. rewrite (norm_value l rules p H), (norm_value l rules q H).
  exact (Peq_ok (Eqsth R) Rext q_morph _ _ C l).
Qed.
Lemma norm_ok l rules p : holdsP l rules -> Peq Qeq_bool (norm rules p) (norm rules (PEc (0 # 1)%Q)) = true -> PE l p = 0.
Proof. intros H C. rewrite (norm_same l rules _ _ H C). exact Q2R_0. Qed.

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
  relations : list E               (* vanish on the configuration space: rotation matrices, position constraints *)
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
Definition vanish0 (e : E) : bool := zero (atoms_of g) (top_of g) (nz_of g) [] (simp e).
Definition vanish (e : E) : bool := zero (atoms_of g) (top_of g) (nz_of g) (map equation (rules_of g)) (simp e).
(* Relations are combined modulo cos^2 + sin^2 = 1 and sqrt(a)^2 = a, which hold everywhere. *)
Definition basic (u : rule) : bool := match u with Relation _ _ _ => false | _ => true end.
Definition vanish1 (e : E) : bool := zero (atoms_of g) (top_of g) (nz_of g) (map equation (filter basic (rules_of g))) (simp e).
Definition rule_ok (u : rule) : bool :=
  match u with
  | Angle _ => true
  | Root a => member a (pz_of g)
  | Relation m p c => let e := Sub (Sub m p) (dot c (relations s)) in vanish0 e || vanish1 e
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
Proof. intros H. rewrite <- simp_ok. revert H. apply zero_ok; [apply def | intros ? ? []]. Qed.
Lemma basic_hold : rules_ok_b = true -> forall a b, In (a, b) (map equation (filter basic (rules_of g))) -> ev r a = ev r b.
Proof.
  unfold rules_ok_b. rewrite forallb_forall. intros H a b I. apply in_map_iff in I. destruct I as [u [Q I]].
  apply filter_In in I as [I B]. specialize (H u I). destruct u; try discriminate B; simpl in Q; injection Q as <- <-; simpl in H.
  - simpl. pose proof (sin2_cos2 (ev r x)) as T. unfold Rsqr in T. rewrite Q2R_1. lra.
  - simpl. rewrite Rmult_1_r. apply sqrt_def. apply Rlt_le. apply (proj2 def). now apply member_ok.
Qed.
Lemma vanish1_ok e : rules_ok_b = true -> vanish1 e = true -> ev r e = 0.
Proof. intros H Z. rewrite <- simp_ok. revert Z. apply zero_ok; [apply def | now apply basic_hold]. Qed.
Lemma rules_hold : rules_ok_b = true -> forall a b, In (a, b) (map equation (rules_of g)) -> ev r a = ev r b.
Proof.
  intros H a b I. apply in_map_iff in I. destruct I as [u [Q I]]. destruct (basic u) eqn:B.
  - apply (basic_hold H). apply in_map_iff. exists u. split; [exact Q | now apply filter_In].
  - pose proof H as R. unfold rules_ok_b in R. rewrite forallb_forall in R. specialize (R u I).
    destruct u; try discriminate B. simpl in Q. injection Q as <- <-. simpl in R.
    assert (Z : ev r (Sub (Sub m p) (dot c (relations s))) = 0).
    { apply orb_prop in R as [R|R]; [now apply vanish0_ok | now apply vanish1_ok]. }
    simpl in Z. rewrite dot_zero in Z by auto. lra.
Qed.
Lemma vanish_ok e : rules_ok_b = true -> vanish e = true -> ev r e = 0.
Proof. intros H Z. rewrite <- simp_ok. revert Z. apply zero_ok; [apply def | now apply rules_hold]. Qed.
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
Proof. intros H C. exact (norm_same l rules p (PEc c) H C). Qed.

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

(* ---- The value at a point, in rational arithmetic. *)
Fixpoint lookup {A} (n : positive) (l : list (positive * A)) : option A :=
  match l with [] => None | (m, a) :: l => if Pos.eqb m n then Some a else lookup n l end.
Lemma lookup_in {A} n (a : A) : forall l, lookup n l = Some a -> In (n, a) l.
Proof.
  induction l as [|[m b] l IH]; simpl; [discriminate|]. destruct (Pos.eqb m n) eqn:Q.
  - intros H; injection H as <-. apply Pos.eqb_eq in Q. subst. now left.
  - intros H. right. auto.
Qed.
Definition qturn (u v : Q * Q) : Q * Q :=
  (qsub (qmul (fst u) (fst v)) (qmul (snd u) (snd v)), qadd (qmul (snd u) (fst v)) (qmul (fst u) (snd v))).
Fixpoint qturns (n : nat) (u : Q * Q) : Q * Q := match n with O => ((1 # 1)%Q, (0 # 1)%Q) | S n => qturn u (qturns n u) end.
Fixpoint qtrig (x : point) (a : E) : option (Q * Q) :=
  match a with
  | V n =>
      match lookup n (turned x), lookup n (plain x) with
      | Some u, _ => Some u
      | None, Some q => if Qeq_bool q (0 # 1)%Q then Some ((1 # 1)%Q, (0 # 1)%Q) else None
      | None, None => None
      end
  | Add a b => match qtrig x a, qtrig x b with Some u, Some v => Some (qturn u v) | _, _ => None end
  | Opp a => match qtrig x a with Some (c, s) => Some (c, Qopp s) | None => None end
  | Mul (K (Zpos n) xH) a => match qtrig x a with Some u => Some (qturns (Pos.to_nat n) u) | None => None end
  | Mul (K (Zneg n) xH) a =>
      match qtrig x a with Some u => let w := qturns (Pos.to_nat n) u in Some (fst w, Qopp (snd w)) | None => None end
  | K Z0 xH => Some ((1 # 1)%Q, (0 # 1)%Q)
  | _ => None
  end.
Fixpoint qpow (q : Q) (n : nat) : Q := match n with O => (1 # 1)%Q | S n => qmul q (qpow q n) end.
Definition q0 : Q := (0 # 1)%Q.
(* Square roots of squares. *)
Definition qsqrt (n : Z) (d : positive) : option Q :=
  let a := Z.sqrt n in let b := Pos.sqrt d in
  if Z.eqb (a * a) n && Pos.eqb (b * b) d && Z.leb 0 a then Some (a # b)%Q else None.
Fixpoint qv (x : point) (e : E) : option Q :=
  match e with
  | K n d => Some (n # d)%Q
  | V n => lookup n (plain x)
  | Add a b => match qv x a, qv x b with Some p, Some q => Some (qadd p q) | _, _ => None end
  | Mul a b =>
      match qv x a with
      | Some p => if Qeq_bool p q0 then Some q0 else match qv x b with Some q => Some (qmul p q) | None => None end
      | None => match qv x b with Some q => if Qeq_bool q q0 then Some q0 else None | None => None end
      end
  | Opp a => match qv x a with Some p => Some (Qopp p) | None => None end
  | Inv a => match qv x a with Some p => if Qeq_bool p q0 then None else Some (Qinv p) | None => None end
  | Pow a n => match qv x a with Some p => Some (qpow p n) | None => None end
  | Sin a => match qtrig x a with Some u => Some (snd u) | None => None end
  | Cos a => match qtrig x a with Some u => Some (fst u) | None => None end
  | Sqrt a => match qv x a with Some (n # d)%Q => qsqrt n d | None => None end
  | Exp a => match qv x a with Some q => if Qeq_bool q q0 then Some (1 # 1)%Q else None | None => None end
  | Log a => match qv x a with Some q => if Qeq_bool q (1 # 1)%Q then Some q0 else None | None => None end
  end.
Section Exact.
Variables (x : point) (r : env).
Hypothesis H : here x r.
Lemma qturn_ok u v a b : Q2R (fst u) = cos a /\ Q2R (snd u) = sin a -> Q2R (fst v) = cos b /\ Q2R (snd v) = sin b ->
  Q2R (fst (qturn u v)) = cos (a + b) /\ Q2R (snd (qturn u v)) = sin (a + b).
Proof.
  intros [A B] [C G]. unfold qturn; simpl. rewrite qsub_ok, qadd_ok, !qmul_ok, A, B, C, G, cos_plus, sin_plus. split; ring.
Qed.
Lemma qturns_ok u a : Q2R (fst u) = cos a /\ Q2R (snd u) = sin a -> forall n,
  Q2R (fst (qturns n u)) = cos (INR n * a) /\ Q2R (snd (qturns n u)) = sin (INR n * a).
Proof.
  intros T. induction n.
  - simpl. rewrite Q2R_0, Q2R_1, Rmult_0_l, cos_0, sin_0. auto.
  - rewrite S_INR. replace ((INR n + 1) * a) with (a + INR n * a) by ring. simpl. apply qturn_ok; auto.
Qed.
Lemma qtrig_ok : forall a u, qtrig x a = Some u -> Q2R (fst u) = cos (ev r a) /\ Q2R (snd u) = sin (ev r a).
Proof.
  induction a; intros u Z; simpl in Z; try discriminate Z.
  - destruct n; try discriminate Z. destruct d; try discriminate Z. injection Z as <-. simpl.
    rewrite !Q2R_0, Q2R_1, cos_0, sin_0. auto.
  - destruct (lookup n (turned x)) as [v|] eqn:T.
    + injection Z as <-. apply lookup_in in T. destruct v as [c s]. destruct (proj2 H _ _ _ T) as [A B]. simpl. auto.
    + destruct (lookup n (plain x)) as [q|] eqn:P0; [|discriminate Z]. destruct (Qeq_bool q (0 # 1)%Q) eqn:Q; [|discriminate Z].
      injection Z as <-. apply lookup_in in P0. simpl. rewrite (proj1 H _ _ P0). apply Qeq_bool_eq, Qeq_eqR in Q.
      rewrite Q, !Q2R_0, Q2R_1, cos_0, sin_0. auto.
  - destruct (qtrig x a1) as [u1|]; [|discriminate Z]. destruct (qtrig x a2) as [u2|]; [|discriminate Z].
    injection Z as <-. simpl ev. apply qturn_ok; auto.
  - destruct a1; try discriminate Z. destruct n; try discriminate Z; destruct d; try discriminate Z;
      destruct (qtrig x a2) as [u2|]; try discriminate Z; injection Z as <-;
      pose proof (qturns_ok u2 (ev r a2) (IHa2 _ eq_refl) (Pos.to_nat p)) as [I J]; simpl;
      unfold Q2R at 2 4; simpl; rewrite INR_IZR_INZ, positive_nat_Z in I, J.
    + replace (IZR (Z.pos p) * / 1 * ev r a2) with (IZR (Z.pos p) * ev r a2) by field. auto.
    + replace (IZR (Z.neg p) * / 1 * ev r a2) with (- (IZR (Z.pos p) * ev r a2))
        by (change (Z.neg p) with (- Z.pos p)%Z; rewrite opp_IZR; field).
      rewrite cos_neg, sin_neg, Q2R_opp, J. auto.
  - destruct (qtrig x a) as [[c s]|]; [|discriminate Z]. injection Z as <-. destruct (IHa _ eq_refl) as [A B].
    simpl in *. rewrite cos_neg, sin_neg, Q2R_opp, B. auto.
Qed.
Lemma qpow_ok q : forall n, Q2R (qpow q n) = Q2R q ^ n.
Proof. induction n; simpl; [apply Q2R_1|]. now rewrite qmul_ok, IHn. Qed.
Lemma qzero q : Qeq_bool q q0 = true -> Q2R q = 0.
Proof. intros Z. apply Qeq_bool_eq in Z. apply Qeq_eqR in Z. rewrite Z. apply Q2R_0. Qed.
Lemma qsqrt_ok n d q : qsqrt n d = Some q -> sqrt (Q2R (n # d)) = Q2R q.
Proof.
  unfold qsqrt. destruct (_ && _) eqn:A; [|discriminate]. intros B. injection B as <-.
  apply andb_prop in A as [A P]. apply andb_prop in A as [A B]. apply Z.eqb_eq in A. apply Pos.eqb_eq in B. apply Z.leb_le in P.
  replace (Q2R (n # d)) with (Q2R (Z.sqrt n # Pos.sqrt d) * Q2R (Z.sqrt n # Pos.sqrt d)).
  - apply sqrt_square. unfold Q2R. simpl. apply Rmult_le_pos; [now apply IZR_le|]. apply Rlt_le, Rinv_0_lt_compat. apply IZR_lt. lia.
  - rewrite <- Q2R_mult. apply Qeq_eqR. unfold Qmult, Qeq. simpl. rewrite A, B. reflexivity.
Qed.
Lemma qv_ok : forall e q, qv x e = Some q -> ev r e = Q2R q.
Proof.
  induction e; simpl; intros q Z; try discriminate Z.
  - now injection Z as <-.
  - apply lookup_in in Z. now apply (proj1 H).
  - destruct (qv x e1) as [a|]; [|discriminate Z]. destruct (qv x e2) as [b|]; [|discriminate Z]. injection Z as <-.
    rewrite qadd_ok, (IHe1 _ eq_refl), (IHe2 _ eq_refl). reflexivity.
  - destruct (qv x e1) as [a|].
    + destruct (Qeq_bool a q0) eqn:A.
      { injection Z as <-. rewrite (IHe1 _ eq_refl), (qzero _ A). unfold q0. rewrite Q2R_0. ring. }
      destruct (qv x e2) as [b|]; [|discriminate Z]. injection Z as <-.
      rewrite qmul_ok, (IHe1 _ eq_refl), (IHe2 _ eq_refl). reflexivity.
    + destruct (qv x e2) as [b|]; [|discriminate Z]. destruct (Qeq_bool b q0) eqn:B; [|discriminate Z]. injection Z as <-.
      rewrite (IHe2 _ eq_refl), (qzero _ B). unfold q0. rewrite Q2R_0. ring.
  - destruct (qv x e) as [a|]; [|discriminate Z]. injection Z as <-. rewrite Q2R_opp, (IHe _ eq_refl). reflexivity.
  - destruct (qv x e) as [a|]; [|discriminate Z]. destruct (Qeq_bool a q0) eqn:A; [discriminate Z|]. injection Z as <-.
    rewrite Q2R_inv, (IHe _ eq_refl); [reflexivity|]. intros B. apply Qeq_bool_neq in A. now apply A.
  - destruct (qv x e) as [a|]; [|discriminate Z]. injection Z as <-. rewrite qpow_ok, (IHe _ eq_refl). reflexivity.
  - destruct (qtrig x e) as [u|] eqn:U; [|discriminate Z]. injection Z as <-. symmetry. apply (qtrig_ok _ _ U).
  - destruct (qtrig x e) as [u|] eqn:U; [|discriminate Z]. injection Z as <-. symmetry. apply (qtrig_ok _ _ U).
  - destruct (qv x e) as [[n d]|]; [|discriminate Z]. rewrite (IHe _ eq_refl). now apply qsqrt_ok.
  - destruct (qv x e) as [a|]; [|discriminate Z]. destruct (Qeq_bool a q0) eqn:A; [|discriminate Z]. injection Z as <-.
    rewrite (IHe _ eq_refl), (qzero _ A), exp_0. symmetry. apply Q2R_1.
  - destruct (qv x e) as [a|]; [|discriminate Z]. destruct (Qeq_bool a (1 # 1)) eqn:A; [|discriminate Z]. injection Z as <-.
    apply Qeq_bool_eq, Qeq_eqR in A. rewrite (IHe _ eq_refl), A, Q2R_1, ln_1. symmetry. apply Q2R_0.
Qed.
End Exact.

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
  match qv x e with
  | Some q => negb (Qeq_bool q q0)
  | None => match number_at dens e with Some (c, _) => negb (Qeq_bool c 0) | None => false end
  end.
Definition above_zero (q : Q) : bool := match (q ?= 0)%Q with Gt => true | _ => false end.
Definition positive_at (e : E) : bool :=
  match qv x e with
  | Some q => above_zero q
  | None => match number_at [] e with Some (c, []) => above_zero c | _ => false end
  end.
Definition zero_at (dens : list E) (e : E) : bool :=
  match qv x e with
  | Some q => Qeq_bool q q0
  | None => zero (atoms_of g) (top_of g) dens (known x) (simp e)
  end.

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
  unfold nonzero_at. intros N. destruct (qv x e) as [q|] eqn:V.
  - intros B Z. rewrite (qv_ok x r H _ _ V) in Z. apply negb_true_iff in B. apply Qeq_bool_neq in B. apply B. apply eqR_Qeq.
    rewrite Z. symmetry. apply Q2R_0.
  - destruct (number_at dens e) as [[c k]|] eqn:A; [|discriminate]. intros B Z.
    destruct (number_at_ok _ _ _ _ N A) as [q [_ [M _]]]. rewrite Z, Rmult_0_l in M.
    apply negb_true_iff in B. apply Qeq_bool_neq in B. apply B. apply eqR_Qeq. now rewrite <- M, RMicromega.Q2R_0.
Qed.
Lemma above_zero_ok q : above_zero q = true -> 0 < Q2R q.
Proof.
  unfold above_zero. destruct (q ?= 0)%Q eqn:C; try discriminate. intros _. apply Qgt_alt in C.
  rewrite <- RMicromega.Q2R_0. now apply Qlt_Rlt.
Qed.
Lemma positive_at_ok e : positive_at e = true -> 0 < ev r e.
Proof.
  unfold positive_at. destruct (qv x e) as [q|] eqn:V.
  - intros B. rewrite (qv_ok x r H _ _ V). now apply above_zero_ok.
  - destruct (number_at [] e) as [[c [|]]|] eqn:A; try discriminate. intros C.
    destruct (number_at_ok [] _ _ _ (fun d (I : In d []) => match I with end) A) as [q [_ [M Z]]].
    rewrite (Z eq_refl), Rmult_1_r in M. rewrite M. now apply above_zero_ok.
Qed.
Lemma zero_at_ok dens e : (forall d, In d dens -> ev r d <> 0) -> zero_at dens e = true -> ev r e = 0.
Proof.
  unfold zero_at. intros N. destruct (qv x e) as [q|] eqn:V.
  - intros B. rewrite (qv_ok x r H _ _ V). now apply qzero.
  - intros Z. rewrite <- simp_ok. revert Z. apply zero_ok; auto. now apply known_ok.
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
  - intros c I. apply (zero_at_ok g x r T (nz_of g)); auto.
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
(* A field keeps what vanishes on the configuration space, or the frame does. *)
Definition tangent (nz pz : list E) (a : list E) : Prop :=
  forall c, In c (relations s) -> identity s nz pz (along_field a c).
Definition kept_by_frame g (n : nat) (c : E) : bool := forallb (fun i => vanish g (along (leg s i) c)) (seq 0 n).
Definition tangent_b g (a : list E) : bool :=
  rules_ok_b s g && forallb (fun c => kept_by_frame g (length a) c || vanish g (along_field a c)) (relations s).
Lemma tangent_ok g a : tangent_b g a = true -> tangent (nz_of g) (pz_of g) a.
Proof.
  unfold tangent_b. intros H c I. apply andb_prop in H as [R H]. rewrite forallb_forall in H. specialize (H c I).
  apply orb_prop in H as [H|H].
  - intros r T F. unfold along_field. apply dot_zero. intros e J. apply in_map_iff in J as [i [<- J]].
    unfold kept_by_frame in H. rewrite forallb_forall in H. apply (vanish_ok s g r T F _ R). auto.
  - apply identity_ok. now rewrite R, H.
Qed.
Definition symmetry (nz pz : list E) (xi : list E) : Prop :=
  tangent nz pz xi /\ identity s nz pz (along (lift xi) (lagrangian s)) /\
  (forall c, In c (constraints s) -> on_constraint s nz pz (along (lift xi) c)) /\
  (forall j, (j < length (velocities s))%nat -> on_constraint s nz pz (turned_force xi j)).
Definition symmetry_b g x (xi : list E) : bool :=
  tangent_b g xi && (rules_ok_b s g && solved_ok s g x && vanish g (along (lift xi) (lagrangian s)) &&
  forallb (fun c => vanish g (sub (solved x) (along (lift xi) c))) (constraints s) &&
  forallb (fun j => vanish g (sub (solved x) (turned_force xi j))) (seq 0 (length (velocities s)))).
Theorem symmetry_ok g x xi : symmetry_b g x xi = true -> symmetry (nz_of g) (pz_of g) xi.
Proof.
  unfold symmetry_b. intros H. apply andb_prop in H as [T H]. split; [now apply tangent_ok|].
  apply andb_prop in H as [H F]. apply andb_prop in H as [H C]. apply andb_prop in H as [H L].
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
(* Two fields along D whose bracket leaves it. They are tangent to the configuration space: their bracket is that of what they are there. *)
Definition nonholonomic (nz pz : list E) : Prop :=
  exists a b c, along_D nz pz a /\ along_D nz pz b /\ tangent nz pz a /\ tangent nz pz b /\ In c (constraints s) /\
    seen s nz pz (pairing c (lie a b)).
Definition along_D_b g (a : list E) : bool := rules_ok_b s g && forallb (fun c => vanish g (pairing c a)) (constraints s).
Lemma along_D_ok g a : along_D_b g a = true -> along_D (nz_of g) (pz_of g) a.
Proof.
  intros H c I. unfold along_D_b in H. apply andb_prop in H as [R H]. rewrite forallb_forall in H. apply identity_ok.
  rewrite R. now apply H.
Qed.
Theorem nonholonomic_ok g x a b i :
  along_D_b g a && along_D_b g b && (tangent_b g a && tangent_b g b) && Nat.ltb i (length (constraints s)) &&
  (point_ok g x (relations s) && nonzero_at g x (nz_of g) (pairing (nth i (constraints s) zeroE) (lie a b))) = true ->
  nonholonomic (nz_of g) (pz_of g).
Proof.
  intros H. apply andb_prop in H as [H W]. apply andb_prop in H as [H I]. apply andb_prop in H as [H T].
  apply andb_prop in H as [A B]. apply andb_prop in T as [T U].
  exists a, b, (nth i (constraints s) zeroE). repeat split.
  - now apply along_D_ok. - now apply along_D_ok. - now apply tangent_ok. - now apply tangent_ok. - apply nth_In. now apply Nat.ltb_lt. - now apply (seen_ok s g x).
Qed.
(* Fields that span D: every velocity that satisfies the constraints is a combination, with these coefficients. *)
Definition spans (nz pz : list E) (legs : list (list E)) (coefficients : list E) : Prop :=
  forall i, (i < length (velocities s))%nat ->
    on_constraint s nz pz (Sub (V (velocity s i)) (dot coefficients (map (fun a => nth i a zeroE) legs))).
Definition holonomic (nz pz : list E) (legs : list (list E)) (coefficients : list E) : Prop :=
  spans nz pz legs coefficients /\ (forall a, In a legs -> along_D nz pz a /\ tangent nz pz a) /\
  (forall a b, In a legs -> In b legs -> along_D nz pz (lie a b)).
Theorem holonomic_ok g x legs coefficients :
  rules_ok_b s g && solved_ok s g x &&
  forallb (fun i => vanish g (sub (solved x) (Sub (V (velocity s i)) (dot coefficients (map (fun a => nth i a zeroE) legs)))))
    (seq 0 (length (velocities s))) &&
  forallb (fun a => along_D_b g a && tangent_b g a) legs &&
  forallb (fun a => forallb (fun b => along_D_b g (lie a b)) legs) legs = true ->
  holonomic (nz_of g) (pz_of g) legs coefficients.
Proof.
  intros H. apply andb_prop in H as [H B]. apply andb_prop in H as [H L]. apply andb_prop in H as [H S].
  rewrite forallb_forall in B, L, S. split; [|split].
  - intros i I. apply (on_constraint_ok s g x). rewrite H. apply S. apply in_seq. lia.
  - intros a I. destruct (andb_prop _ _ (L a I)) as [A T]. split; [now apply along_D_ok | now apply tangent_ok].
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

(* The legs are along D and tangent to the configuration space, and the momenta are theirs. *)
Definition bracket_of_motion (nz pz : list E) : Prop :=
  (forall a, In a legs -> along_D s nz pz a /\ tangent s nz pz a) /\
  (forall a, (a < rank_D)%nat -> identity s nz pz (Sub (with_impulse (leg_D a)) (V (nth a momenta 1%positive)))).
Definition not_poisson (nz pz : list E) : Prop :=
  bracket_of_motion nz pz /\ exists i j k, seen s nz pz (jacobiator i j k).
(* Jacobi's identity for functions whose differentials have these components; all of them, or those of the momenta alone. *)
Definition poisson (nz pz : list E) (first : nat) : Prop :=
  bracket_of_motion nz pz /\
  forall i j k, In i (seq first (dim_Q + rank_D - first)) -> In j (seq first (dim_Q + rank_D - first)) ->
    In k (seq first (dim_Q + rank_D - first)) -> identity s nz pz (jacobiator i j k).
Definition bracket_b g : bool :=
  rules_ok_b s g && forallb (fun a => along_D_b s g a && tangent_b s g a) legs &&
  forallb (fun a => vanish g (Sub (with_impulse (leg_D a)) (V (nth a momenta 1%positive)))) (seq 0 rank_D).
Lemma bracket_ok g : bracket_b g = true -> bracket_of_motion (nz_of g) (pz_of g).
Proof.
  unfold bracket_b. intros H. apply andb_prop in H as [H L]. apply andb_prop in H as [R A]. rewrite forallb_forall in A, L. split.
  - intros a I. destruct (andb_prop _ _ (A a I)) as [B T]. split; [now apply along_D_ok | now apply tangent_ok].
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
(* The Hessian of l in the velocities has a determinant that does not vanish, seen at a state on the constraint. *)
Fixpoint determinant (n : nat) (m : list (list E)) : E := (* by its first row *)
  match n, m with
  | S k, row :: rest =>
      total (map (fun j => Mul (K (if Nat.even j then 1 else -1) 1)
        (Mul (nth j row zeroE) (determinant k (map (fun r => firstn j r ++ skipn (S j) r) rest)))) (seq 0 n))
  | _, _ => K 1 1
  end.
Definition hessian (l : E) : list (list E) := map (fun v => map (fun w => partial w (partial v l)) (velocities s)) (velocities s).
Definition regular (nz pz : list E) (l : E) : Prop := seen_on_constraint s nz pz (determinant (length (velocities s)) (hessian l)).
Theorem regular_ok g x l :
  point_ok g x (relations s ++ constraints s) && nonzero_at g x (nz_of g) (determinant (length (velocities s)) (hessian l)) = true ->
  regular (nz_of g) (pz_of g) l.
Proof. apply seen_on_constraint_ok. Qed.
End Lagrange.

(* ---- Sums of real numbers over a list of indices. *)
Definition sum_over {A} (l : list A) (f : A -> R) : R := fold_right (fun i a => f i + a) 0 l.
Lemma sum_ext {A} (f g : A -> R) : forall l, (forall i, In i l -> f i = g i) -> sum_over l f = sum_over l g.
Proof. induction l as [|i l IH]; simpl; intros H; auto. rewrite (H i), IH; auto. Qed.
Lemma sum_zero {A} (f : A -> R) : forall l, (forall i, In i l -> f i = 0) -> sum_over l f = 0.
Proof. induction l as [|i l IH]; simpl; intros H; auto. rewrite (H i), IH; auto. ring. Qed.
Lemma sum_add {A} (f g : A -> R) : forall l, sum_over l (fun i => f i + g i) = sum_over l f + sum_over l g.
Proof. induction l as [|i l IH]; simpl; [ring|]. rewrite IH. ring. Qed.
Lemma sum_scale {A} a (f : A -> R) : forall l, sum_over l (fun i => a * f i) = a * sum_over l f.
Proof. induction l as [|i l IH]; simpl; [ring|]. rewrite IH. ring. Qed.
Lemma sum_swap {A B} (f : A -> B -> R) : forall l m, sum_over l (fun i => sum_over m (f i)) = sum_over m (fun j => sum_over l (fun i => f i j)).
Proof.
  induction l as [|i l IH]; intros m; simpl.
  - symmetry. apply sum_zero. auto.
  - rewrite IH. symmetry. apply (sum_add (f i) (fun j => sum_over l (fun i => f i j))).
Qed.
Lemma total_cons r x l : ev r (total (x :: l)) = ev r x + ev r (total l).
Proof. destruct l; simpl; [rewrite Q2R_0; ring | reflexivity]. Qed.
Lemma dot_sum r (a : nat -> E) (b : nat -> E) : forall l, ev r (dot (map a l) (map b l)) = sum_over l (fun i => ev r (a i) * ev r (b i)).
Proof.
  unfold dot. induction l as [|i l IH]; simpl map.
  - simpl. apply Q2R_0.
  - cbn [products]. rewrite total_cons, IH. reflexivity.
Qed.
Fixpoint no_repeat (l : list nat) : bool := match l with [] => true | n :: l => negb (existsb (Nat.eqb n) l) && no_repeat l end.
Lemma no_repeat_ok : forall l, no_repeat l = true -> NoDup l.
Proof.
  induction l as [|n l IH]; simpl; intros H; constructor; apply andb_prop in H as [A B]; auto.
  intros I. apply negb_true_iff in A. assert (C : existsb (Nat.eqb n) l = true).
  { apply existsb_exists. exists n. split; auto. apply Nat.eqb_refl. }
  congruence.
Qed.
Lemma sum_one (k : nat) f : forall l, NoDup l -> In k l -> (forall j, In j l -> j <> k -> f j = 0) -> sum_over l f = f k.
Proof.
  induction l as [|i l IH]; simpl; intros N I Z; [tauto|]. inversion N; subst. destruct (Nat.eq_dec i k) as [->|D].
  - rewrite sum_zero; [ring|]. intros j J. apply Z; auto. intros ->. contradiction.
  - destruct I as [I|I]; [contradiction|]. rewrite IH, (Z i); auto. ring.
Qed.

(* ---- A two-form dTheta + S on (q, z), Theta = Theta_i(q, z) theta^i and S on Q, in the frame (X_i, d/dz^a). *)
Section Hamilton.
Variables (s : System) (speeds : list positive) (psi F theta : list E) (twisted : list (nat * nat * E)).
Definition dim_Qz : nat := length (velocities s).
Definition dim_D : nat := (dim_Qz + length speeds)%nat.
Definition slope_z (l : nat) (f : E) : E :=
  if Nat.ltb l dim_Qz then along (leg s l) f else partial (nth (l - dim_Qz) speeds 1%positive) f.
Definition theta_at (l : nat) : E := if Nat.ltb l dim_Qz then nth l theta zeroE else zeroE.
Definition twist (i j : nat) : E :=
  total (flat_map (fun y => match y with (k, l, c) =>
    if Nat.eqb i k && Nat.eqb j l then [c] else if Nat.eqb i l && Nat.eqb j k then [Opp c] else [] end) twisted).
Definition two_form (i j : nat) : E :=
  Add (Sub (Sub (slope_z i (theta_at j)) (slope_z j (theta_at i)))
           (total (flat_map (fun y => match y with (k, l, m, c) =>
              if Nat.eqb i k && Nat.eqb j l then [Mul c (theta_at m)] else [] end) (structure s))))
      (twist i j).
Definition field_of_motion : list E := psi ++ F.
Definition energy_z : E :=
  Sub (dot psi (map (fun i => sub (on_D s psi) (momentum s i)) (seq 0 dim_Qz))) (sub (on_D s psi) (lagrangian s)).
(* dS(X_i, X_j, X_k) = X_i S_jk - S([X_i, X_j], X_k) + ... *)
Definition half_closure (i j k : nat) : E :=
  Sub (along (leg s i) (twist j k))
      (total (flat_map (fun y => match y with (a, b, m, c) =>
         if Nat.eqb a i && Nat.eqb b j then [Mul c (twist m k)] else [] end) (structure s))).
Definition closure_of (i j k : nat) : E := Add (half_closure i j k) (Add (half_closure j k i) (half_closure k i j)).
Definition of_configuration (e : E) : bool := all (fun n => negb (existsb (Pos.eqb n) (velocities s ++ speeds))) e.
(* The minor of the form with these rows and columns is regular at r: it takes no vector but zero to zero. *)
Definition regular_minor (idx : list nat) (r : env) : Prop :=
  forall x : nat -> R, (forall i, In i idx -> sum_over idx (fun j => ev r (two_form i j) * x j) = 0) -> forall j, In j idx -> x j = 0.
(* In the time d tau = f dt the motion is Hamiltonian: the form is closed, i_Gamma(dTheta + S) = -f dE, and where it vanishes f does not
   change; at a point f is not zero and the form has rank at least twice the number of speeds: symplectic on the reduced space. *)
Definition hamiltonian_in_time (nz pz : list E) (f : E) (c : list E) : Prop :=
  of_configuration f = true /\ (forall i j, In (i, j) (map fst twisted) -> of_configuration (twist i j) = true) /\
  (forall i j k, (i < dim_Qz)%nat -> (j < dim_Qz)%nat -> (k < dim_Qz)%nat -> identity s nz pz (closure_of i j k)) /\
  (forall m, (m < dim_D)%nat ->
     identity s nz pz (Add (dot field_of_motion (map (fun l => two_form l m) (seq 0 dim_D))) (Mul f (slope_z m energy_z)))) /\
  (forall m, (m < dim_D)%nat -> identity s nz pz (Sub (slope_z m f) (dot c (map (fun l => two_form l m) (seq 0 dim_D))))) /\
  (seen s nz pz f \/ forall r, defined nz pz r -> 0 < ev r f) /\
  exists r idx, (forall e, In e (relations s) -> ev r e = 0) /\ NoDup idx /\ (forall i, In i idx -> (i < dim_D)%nat) /\
    length idx = (2 * length speeds)%nat /\ regular_minor idx r.
Definition K_of (q : Q) : E := K (Qnum q) (Qden q).
(* Rows of the inverse of the minor, as numbers. *)
Definition minor_ok (g : reading) (x : point) (idx : list nat) (inverse : list (list Q)) : bool :=
  no_repeat idx && forallb (fun i => Nat.ltb i dim_D) idx && Nat.eqb (length idx) (2 * length speeds) &&
  forallb (fun k => forallb (fun j =>
    match qv x (Sub (dot (map (fun i => K_of (nth i (nth k inverse []) 0%Q)) (seq 0 (length idx)))
                         (map (fun i => two_form (nth i idx O) j) (seq 0 (length idx))))
                    (K (if Nat.eqb (nth k idx O) j then 1 else 0) 1)) with
    | Some q => Qeq_bool q q0 | None => false end) idx) (seq 0 (length idx)).
Lemma sum_nth (f : nat -> R) d : forall l, sum_over (seq 0 (length l)) (fun i => f (nth i l d)) = sum_over l f.
Proof.
  intros l. transitivity (sum_over (map (fun i => nth i l d) (seq 0 (length l))) f).
  - generalize (seq 0 (length l)). induction l0 as [|i m IH]; simpl; auto. now rewrite IH.
  - f_equal. induction l as [|a l IH]; simpl; auto. f_equal. rewrite <- seq_shift, map_map. exact IH.
Qed.
Lemma minor_regular g x r idx inverse : here x r -> minor_ok g x idx inverse = true -> regular_minor idx r.
Proof.
  intros T H v Z. unfold minor_ok in H. apply andb_prop in H as [H M]. apply andb_prop in H as [H _]. apply andb_prop in H as [N _].
  apply no_repeat_ok in N. rewrite forallb_forall in M. intros j J.
  destruct (In_nth idx j O J) as [k [L Q]].
  specialize (M k (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) L))). rewrite forallb_forall in M.
  set (b := fun i => ev r (K_of (nth i (nth k inverse []) 0%Q))).
  assert (D : forall m, In m idx -> sum_over (seq 0 (length idx)) (fun i => b i * ev r (two_form (nth i idx O) m)) = if Nat.eqb j m then 1 else 0).
  { intros m I. specialize (M m I). destruct (qv x _) as [q|] eqn:V in M; [|discriminate M].
    apply (qv_ok x r T) in V. apply qzero in M. rewrite M, Q in V. cbn [ev Sub] in V. rewrite dot_sum in V. unfold b.
    destruct (Nat.eqb j m); [change (Q2R (1 # 1)) with (Q2R (1 # 1)) in V; rewrite Q2R_1 in V | rewrite Q2R_0 in V]; lra. }
  transitivity (sum_over idx (fun m => (if Nat.eqb j m then 1 else 0) * v m)).
  - symmetry. rewrite (sum_one j); auto.
    + rewrite Nat.eqb_refl. ring.
    + intros m _ E'. destruct (Nat.eqb j m) eqn:W; [apply Nat.eqb_eq in W; congruence | ring].
  - transitivity (sum_over idx (fun m => sum_over (seq 0 (length idx)) (fun i => b i * (ev r (two_form (nth i idx O) m) * v m)))).
    + apply sum_ext. intros m I. rewrite <- (D m I), (Rmult_comm _ (v m)), <- sum_scale. apply sum_ext. intros i _. ring.
    + rewrite sum_swap. apply sum_zero. intros i I. rewrite (sum_scale (b i)). rewrite Z; [ring|].
      apply nth_In. apply in_seq in I. lia.
Qed.
Theorem hamiltonian_in_time_ok g x y idx inverse f c :
  rules_ok_b s g && of_configuration f && forallb (fun y => match y with (i, j, _) => of_configuration (twist i j) end) twisted &&
  forallb (fun i => forallb (fun j => forallb (fun k => vanish g (closure_of i j k)) (seq 0 dim_Qz)) (seq 0 dim_Qz)) (seq 0 dim_Qz) &&
  forallb (fun m => vanish g (Add (dot field_of_motion (map (fun l => two_form l m) (seq 0 dim_D))) (Mul f (slope_z m energy_z)))) (seq 0 dim_D) &&
  forallb (fun m => vanish g (Sub (slope_z m f) (dot c (map (fun l => two_form l m) (seq 0 dim_D))))) (seq 0 dim_D) &&
  (positive_b (pz_of g) f || point_ok g y (relations s) && nonzero_at g y (nz_of g) f) &&
  (point_ok g x (relations s) && minor_ok g x idx inverse) = true ->
  hamiltonian_in_time (nz_of g) (pz_of g) f c.
Proof.
  intros H. apply andb_prop in H as [H M]. apply andb_prop in H as [H P]. apply andb_prop in H as [H B]. apply andb_prop in H as [H G].
  apply andb_prop in H as [H C]. apply andb_prop in H as [H T]. apply andb_prop in H as [R O].
  rewrite forallb_forall in B, C, G, T. repeat split.
  - exact O.
  - intros i j I. apply in_map_iff in I as [[[k l] e] [Q I]]. simpl in Q. injection Q as -> ->. exact (T _ I).
  - intros i j k I J L. apply identity_ok. rewrite R. specialize (C i (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) I))).
    rewrite forallb_forall in C. specialize (C j (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) J))).
    rewrite forallb_forall in C. apply C. apply in_seq. lia.
  - intros m I. apply identity_ok. rewrite R. apply G. apply in_seq. lia.
  - intros m I. apply identity_ok. rewrite R. apply B. apply in_seq. lia.
  - apply orb_prop in P as [P|P]; [right; intros r D; now apply (positive_b_ok (nz_of g) (pz_of g)) | left; now apply (seen_ok s g y)].
  - apply andb_prop in M as [X M]. destruct (point_there g x _ X) as [r [T' [Z D]]]. exists r, idx.
    split; [exact Z|]. pose proof M as M'. unfold minor_ok in M'. apply andb_prop in M' as [M' _]. apply andb_prop in M' as [M' L].
    apply andb_prop in M' as [N I]. split; [now apply no_repeat_ok|]. rewrite forallb_forall in I.
    split; [intros i J; now apply Nat.ltb_lt, I|]. split; [now apply Nat.eqb_eq|]. now apply (minor_regular g x r idx inverse).
Qed.
End Hamilton.

Lemma point_moves x r q p : here x r -> (forall n, p n = true -> q n = r n) ->
  forallb (fun u => p (fst u)) (plain x) && forallb (fun u => p (fst u)) (turned x) = true -> here x q.
Proof.
  intros [A B] M H. apply andb_prop in H as [P T]. rewrite forallb_forall in P, T. split.
  - intros n v I. rewrite (M n (P _ I)). now apply A.
  - intros n c d I. rewrite (M n (T _ I)). now apply B.
Qed.

(* ---- No multipliers: curves along the field with functions mu(t) of rates nu(t) that satisfy E_i(L - mu_a C^a) = Q_i. *)
Section NotVariational.
Variables (s : System) (speeds : list positive) (psi F : list E) (mu nu : list positive).
Definition rates_with : list (positive * E) := flow s speeds psi F ++ combine mu (map V nu).
Definition dt_with (n : positive) : E := match look n rates_with with Some a => a | None => K 0 1 end.
Definition on_field (n : positive) : bool := existsb (Pos.eqb n) (time s :: parameters s ++ functions s ++ speeds).
Definition with_mu (n : positive) : bool := on_field n || existsb (Pos.eqb n) mu.
Definition impulse_with (i : nat) : E := momentum_with s psi (map V mu) i.
Definition balance_with (i : nat) : E :=
  Add (Sub (slope_with s psi (map V mu) i)
           (total (flat_map (fun y => match y with (j, l, m, c) =>
              if Nat.eqb i j then [Mul c (Mul (nth l psi zeroE) (impulse_with m))] else [] end) (structure s))))
      (sub (on_D s psi) (nth i (forces s) zeroE)).
Record variational_curve (rho : R -> env) : Prop := {
  follows : forall t n, with_mu n = true -> is_derive (fun u => rho u n) t (ev (rho t) (dt_with n));
  stays : forall t e, In e (relations s) -> ev (rho t) e = 0;
  stationary : forall t i, (i < length (velocities s))%nat ->
    is_derive (fun u => ev (rho u) (impulse_with i)) t (ev (rho t) (balance_with i))
}.
(* One name for each constraint, and one for its rate; none of them is used elsewhere. *)
Definition fresh_multipliers : bool :=
  Nat.eqb (length mu) (length (constraints s)) && Nat.eqb (length nu) (length mu) &&
  distinct (mu ++ nu) &&
  forallb (fun n => negb (existsb (Pos.eqb n) (time s :: parameters s ++ functions s ++ velocities s ++ speeds))) (mu ++ nu).
(* A state through which no curve along the field has multipliers. *)
Definition not_variational (nz pz : list E) : Prop :=
  fresh_multipliers = true /\ exists r, (forall e, In e (relations s) -> ev r e = 0) /\ defined nz pz r /\
    forall rho t, variational_curve rho -> (forall u, defined nz pz (rho u)) -> (forall n, on_field n = true -> rho t n = r n) -> False.
Definition equations_with : list E :=
  map (fun i => Sub (D dt_with (impulse_with i)) (balance_with i)) (seq 0 (length (velocities s))).
(* Each consequence is a combination of the equations and the rate of an earlier one. *)
Fixpoint consequences_ok (g : reading) (known : list E) (l : list (option nat * list E * E)) : bool :=
  match l with
  | [] => true
  | (from, c, f) :: l =>
      all with_mu f && okb (nz_of g) (pz_of g) f &&
      vanish g (Sub f (Add (match from with Some j => D dt_with (nth j known zeroE) | None => zeroE end) (dot c equations_with))) &&
      consequences_ok g (known ++ [f]) l
  end.
Section Curve.
Variables (g : reading) (rho : R -> env).
Hypothesis C : variational_curve rho.
Hypothesis N : forall u, defined (nz_of g) (pz_of g) (rho u).
Hypothesis R0 : rules_ok_b s g = true.
Hypothesis W : forallb (fun i => all with_mu (impulse_with i) && okb (nz_of g) (pz_of g) (impulse_with i)) (seq 0 (length (velocities s))) = true.
Lemma rate_with t e : all with_mu e = true -> okb (nz_of g) (pz_of g) e = true ->
  is_derive (fun u => ev (rho u) e) t (ev (rho t) (D dt_with e)).
Proof.
  intros A O. apply (D_ok rho dt_with with_mu t); auto.
  - intros n H. now apply (follows rho C).
  - apply (okb_ok (nz_of g) (pz_of g)); auto.
Qed.
Lemma equations_hold t : forall e, In e equations_with -> ev (rho t) e = 0.
Proof.
  intros e I. apply in_map_iff in I as [i [<- I]]. rewrite forallb_forall in W. specialize (W i I). apply andb_prop in W as [A O].
  apply in_seq in I. simpl in I.
  pose proof (is_derive_unique _ _ _ (rate_with t _ A O)) as U1.
  pose proof (is_derive_unique _ _ _ (stationary rho C t i (proj2 I))) as U2.
  change (ev (rho t) (D dt_with (impulse_with i)) + - ev (rho t) (balance_with i) = 0). rewrite <- U1, U2. ring.
Qed.
Definition holds_always (e : E) : Prop := all with_mu e = true /\ okb (nz_of g) (pz_of g) e = true /\ forall t, ev (rho t) e = 0.
Lemma consequences_hold : forall l known, (forall e, In e known -> holds_always e) -> consequences_ok g known l = true ->
  forall e, In e (map snd l) -> forall t, ev (rho t) e = 0.
Proof.
  induction l as [|[[from c] f] l IH]; intros known H S e I t; [destruct I|]. simpl in S.
  apply andb_prop in S as [S L]. apply andb_prop in S as [S Z]. apply andb_prop in S as [A O].
  assert (Hf : holds_always f).
  { repeat split; auto. intros u. apply (vanish_ok s g (rho u) (stays rho C u) (N u) _ R0) in Z. simpl ev in Z.
    rewrite dot_zero in Z by (apply equations_hold).
    assert (B : ev (rho u) (match from with Some j => D dt_with (nth j known zeroE) | None => zeroE end) = 0).
    { destruct from as [j|]; [|apply Q2R_0]. destruct (nth_in_or_default j known zeroE) as [J|J].
      - destruct (H _ J) as [A' [O' Z']]. rewrite <- (is_derive_unique _ _ _ (rate_with u _ A' O')).
        rewrite (Derive_ext _ (fun _ => 0)); [apply Derive_const | exact Z'].
      - rewrite J. apply Q2R_0. }
    rewrite B in Z. lra. }
  destruct I as [<-|I]; [apply Hf|]. apply (IH (known ++ [f])); auto.
  intros a J. apply in_app_iff in J as [J|[<-|[]]]; auto.
Qed.
End Curve.
Theorem not_variational_ok g x steps (y : list Q) :
  fresh_multipliers &&
  (rules_ok_b s g &&
  forallb (fun i => all with_mu (impulse_with i) && okb (nz_of g) (pz_of g) (impulse_with i)) (seq 0 (length (velocities s))) &&
  consequences_ok g [] steps &&
  (forallb (fun u => on_field (fst u)) (plain x) && forallb (fun u => on_field (fst u)) (turned x)) &&
  (point_ok g x (relations s) && nonzero_at g x (nz_of g) (dot (map K_of y) (map snd steps)))) = true ->
  not_variational (nz_of g) (pz_of g).
Proof.
  intros H. apply andb_prop in H as [Fr H]. split; [exact Fr|]. apply andb_prop in H as [H P]. apply andb_prop in H as [H S]. apply andb_prop in H as [H C]. apply andb_prop in H as [R0 W].
  apply andb_prop in P as [P Z]. destruct (point_there g x _ P) as [r [T [A G]]]. exists r. split; [exact A|]. split; [exact G|].
  intros rho t V N M. apply (nonzero_at_ok g x (rho t) (point_moves x r (rho t) on_field T M S) (nz_of g) _ (proj1 (N t)) Z).
  apply dot_zero. intros e I. apply (consequences_hold g rho V N R0 W steps []); auto. intros a [].
Qed.
End NotVariational.

(* ---- No density. sigma = ln(density) of the configuration is invariant when X_a[sigma] = -d(div)/dz^a along the legs of D, and along
   their brackets [A, B][sigma] = A[B[sigma]] - B[A[sigma]]. *)
Section NoDensity.
Variables (s : System) (speeds : list positive) (psi F : list E) (still : list nat).
Definition at_rest : list (positive * E) := map (fun z => (z, K 0 1)) speeds.
Definition div_F : E := divergence s speeds psi F.
Definition leg_z (a : nat) : list E := map (fun e => sub at_rest (partial (nth a speeds 1%positive) e)) psi.
Definition rate_z (a : nat) : E := Opp (sub at_rest (partial (nth a speeds 1%positive) div_F)).
Definition drift_z : list E := map (sub at_rest) psi.
Definition rate_drift : E := Opp (sub at_rest div_F).
Definition unit_leg (i : nat) : list E := map (fun j => K (if Nat.eqb i j then 1 else 0) 1) (seq 0 (length (velocities s))).
Inductive known_rate : list E -> E -> Prop :=
| of_leg a : (a < length speeds)%nat -> known_rate (leg_z a) (rate_z a)
| of_drift : known_rate drift_z rate_drift
| of_still i : In i still -> known_rate (unit_leg i) zeroE
| of_bracket A ra B rb : known_rate A ra -> known_rate B rb ->
    known_rate (lie s A B) (Sub (along_field s A rb) (along_field s B ra)).
(* sigma i stands for X_i[ln density]. *)
Definition slopes_of_density (nz pz : list E) (sigma : env -> nat -> R) : Prop :=
  forall A ra, known_rate A ra -> forall r, (forall e, In e (relations s) -> ev r e = 0) -> defined nz pz r ->
    sum_over (seq 0 (length (velocities s))) (fun i => ev r (nth i A zeroE) * sigma r i) = ev r ra.
(* The divergence is of degree one in the speeds, and no function has the slopes that it asks for. *)
Definition no_density (nz pz : list E) : Prop :=
  identity s nz pz (Add div_F (Add (dot (map V speeds) (map rate_z (seq 0 (length speeds)))) rate_drift)) /\
  ~ exists sigma, slopes_of_density nz pz sigma.
Inductive origin := Leg (a : nat) | Drift | Still (i : nat) | Bracket (a b : nat).
Definition field_from (known : list (list E * E)) (o : origin) : option (list E * E) :=
  match o with
  | Leg a => if Nat.ltb a (length speeds) then Some (leg_z a, rate_z a) else None
  | Drift => Some (drift_z, rate_drift)
  | Still i => if existsb (Nat.eqb i) still then Some (unit_leg i, zeroE) else None
  | Bracket a b =>
      match nth_error known a, nth_error known b with
      | Some (A, ra), Some (B, rb) => Some (lie s A B, Sub (along_field s A rb) (along_field s B ra))
      | _, _ => None end
  end.
Fixpoint fields_from (known : list (list E * E)) (l : list origin) : option (list (list E * E)) :=
  match l with
  | [] => Some known
  | o :: l => match field_from known o with Some f => fields_from (known ++ [f]) l | None => None end
  end.
Lemma fields_from_ok : forall l known fs, (forall f, In f known -> known_rate (fst f) (snd f)) -> fields_from known l = Some fs ->
  forall f, In f fs -> known_rate (fst f) (snd f).
Proof.
  induction l as [|o l IH]; simpl; intros known fs H Q f I.
  - injection Q as <-. auto.
  - destruct (field_from known o) as [h|] eqn:O; [|discriminate]. apply (IH (known ++ [h]) fs); auto.
    intros k J. apply in_app_iff in J as [J|[<-|[]]]; auto. destruct o; simpl in O.
    + destruct (Nat.ltb a (length speeds)) eqn:L; [|discriminate]. injection O as <-. apply of_leg. now apply Nat.ltb_lt.
    + injection O as <-. apply of_drift.
    + destruct (existsb (Nat.eqb i) still) eqn:L; [|discriminate]. injection O as <-. apply of_still.
      apply existsb_exists in L as [j [J E']]. apply Nat.eqb_eq in E'. now subst.
    + destruct (nth_error known a) as [[A ra]|] eqn:A'; [|discriminate]. destruct (nth_error known b) as [[B rb]|] eqn:B'; [|discriminate].
      injection O as <-. apply nth_error_In in A', B'. apply of_bracket; [apply (H _ A') | apply (H _ B')].
Qed.
(* Numbers y with y^k W_k = 0 and y^k r_k <> 0 at a point. *)
Definition contradict (g : reading) (x : point) (fs : list (list E * E)) (y : list Q) : bool :=
  forallb (fun i => zero_at g x (nz_of g) (dot (map K_of y) (map (fun f => nth i (fst f) zeroE) fs))) (seq 0 (length (velocities s))) &&
  nonzero_at g x (nz_of g) (dot (map K_of y) (map snd fs)).
Lemma dot_linear r n (sigma : nat -> R) : forall (fs : list (list E * E)) (y : list Q),
  (forall f, In f fs -> sum_over (seq 0 n) (fun i => ev r (nth i (fst f) zeroE) * sigma i) = ev r (snd f)) ->
  ev r (dot (map K_of y) (map snd fs)) =
  sum_over (seq 0 n) (fun i => ev r (dot (map K_of y) (map (fun f => nth i (fst f) zeroE) fs)) * sigma i).
Proof.
  unfold dot. induction fs as [|f fs IH]; intros [|q y] H; cbn [map products].
  - symmetry. simpl. rewrite Q2R_0. apply sum_zero. intros. ring.
  - symmetry. simpl. rewrite Q2R_0. apply sum_zero. intros. ring.
  - symmetry. simpl. rewrite Q2R_0. apply sum_zero. intros. ring.
  - rewrite total_cons. rewrite IH by (intros; apply H; now right).
    assert (X : ev r (Mul (K_of q) (snd f)) = sum_over (seq 0 n) (fun i => ev r (K_of q) * (ev r (nth i (fst f) zeroE) * sigma i))).
    { rewrite sum_scale, (H f) by now left. reflexivity. }
    rewrite X, <- sum_add. apply sum_ext. intros i _. rewrite total_cons. simpl. ring.
Qed.
Theorem no_density_ok g x l y :
  rules_ok_b s g && vanish g (Add div_F (Add (dot (map V speeds) (map rate_z (seq 0 (length speeds)))) rate_drift)) &&
  point_ok g x (relations s) &&
  match fields_from [] l with Some fs => contradict g x fs y | None => false end = true -> no_density (nz_of g) (pz_of g).
Proof.
  intros H. apply andb_prop in H as [H C]. apply andb_prop in H as [H P]. split; [now apply identity_ok|].
  intros [sigma S]. destruct (fields_from [] l) as [fs|] eqn:Fs; [|discriminate C].
  destruct (point_there g x _ P) as [r [T [A G]]]. apply andb_prop in C as [Z Nz]. rewrite forallb_forall in Z.
  apply (nonzero_at_ok g x r T (nz_of g) _ (proj1 G) Nz).
  rewrite (dot_linear r (length (velocities s)) (sigma r)).
  - apply sum_zero. intros i I. specialize (Z i I).
    apply (zero_at_ok g x r T (nz_of g)) in Z; [rewrite Z; ring | apply G].
  - intros f I. apply S; auto. apply (fields_from_ok l [] fs) with (f := f); auto. intros ? [].
Qed.
End NoDensity.

(* ---- Signs: products and sums of what is positive, even powers. (positive, not negative) *)
Fixpoint sign_of (pz : list E) (e : E) : bool * bool :=
  if member e pz then (true, true) else
  match e with
  | K n _ => (Z.ltb 0 n, Z.leb 0 n)
  | Add a b => let (p, q) := sign_of pz a in let (u, v) := sign_of pz b in ((p && v) || (q && u), q && v)
  | Mul a b => if eqb a b then (fst (sign_of pz a), true) else
      let (p, q) := sign_of pz a in let (u, v) := sign_of pz b in (p && u, q && v)
  | Inv a => sign_of pz a
  | Pow a n => let (p, q) := sign_of pz a in (p, q || Nat.even n)
  | Sqrt a => (member a pz, true)
  | Exp _ => (true, true)
  | _ => (false, false)
  end.
Lemma sign_of_ok nz pz r : defined nz pz r -> forall e,
  (fst (sign_of pz e) = true -> 0 < ev r e) /\ (snd (sign_of pz e) = true -> 0 <= ev r e).
Proof.
  intros [_ Q].
  assert (Base : forall e, member e pz = true -> 0 < ev r e) by (intros e H; apply (Q _ (member_ok _ _ H))).
  induction e; simpl; (destruct (member _ pz) eqn:M; [pose proof (Base _ M) as B0; simpl in B0; simpl; split; intros _; lra|]).
  - simpl. split; intros H.
    + apply Z.ltb_lt in H. unfold Q2R. simpl. apply Rmult_lt_0_compat; [now apply IZR_lt|]. apply Rinv_0_lt_compat. apply IZR_lt. lia.
    + apply Z.leb_le in H. unfold Q2R. simpl. apply Rmult_le_pos; [now apply IZR_le|]. apply Rlt_le, Rinv_0_lt_compat. apply IZR_lt. lia.
  - simpl. split; intros H; discriminate H.
  - destruct (sign_of pz e1) as [p q], (sign_of pz e2) as [u v]; simpl in *. destruct IHe1 as [A B], IHe2 as [C G]. split; intros H.
    + apply orb_prop in H as [H|H]; apply andb_prop in H as [H1 H2].
      * specialize (A H1). specialize (G H2). lra.
      * specialize (B H1). specialize (C H2). lra.
    + apply andb_prop in H as [H1 H2]. specialize (B H1). specialize (G H2). lra.
  - destruct (eqb e1 e2) eqn:X.
    + apply eqb_ok in X. subst. destruct IHe1 as [A B]. simpl. split; intros H.
      * specialize (A H). now apply Rmult_lt_0_compat.
      * replace (ev r e2 * ev r e2) with (Rsqr (ev r e2)) by reflexivity. apply Rle_0_sqr.
    + destruct (sign_of pz e1) as [p q], (sign_of pz e2) as [u v]; simpl in *. destruct IHe1 as [A B], IHe2 as [C G].
      split; intros H; apply andb_prop in H as [H1 H2]; [apply Rmult_lt_0_compat | apply Rmult_le_pos]; auto.
  - simpl. split; intros H; discriminate H.
  - destruct IHe as [A B]. split; intros H.
    + now apply Rinv_0_lt_compat, A.
    + specialize (B H). destruct (Req_dec (ev r e) 0) as [Z|Z]; [rewrite Z, Rinv_0; lra|]. apply Rlt_le, Rinv_0_lt_compat. lra.
  - destruct (sign_of pz e) as [p q]; simpl in *. destruct IHe as [A B]. split; intros H.
    + now apply pow_lt, A.
    + apply orb_prop in H as [H|H]; [now apply pow_le, B|]. apply Nat.even_spec in H as [k ->].
      rewrite pow_mult. apply pow_le. simpl. rewrite Rmult_1_r. apply Rle_0_sqr.
  - simpl. split; intros H; discriminate H.
  - simpl. split; intros H; discriminate H.
  - simpl. split; intros H.
    + apply sqrt_lt_R0. now apply Base.
    + apply sqrt_pos.
  - simpl. split; intros _; [apply exp_pos | apply Rlt_le, exp_pos].
  - simpl. split; intros H; discriminate H.
Qed.

(* ---- A quadratic form is positive definite: it is a sum of positive multiples of squares, and the squares determine the variables. *)
Section Definite.
Variables (s : System) (z : list positive).
Definition positive_definite (nz pz : list E) (form : E) : Prop :=
  forall r, (forall e, In e (relations s) -> ev r e = 0) -> defined nz pz r -> (exists n, In n z /\ r n <> 0) -> 0 < ev r form.
Definition squares (d l : list E) : E := dot d (map (fun e => Pow e 2) l).
Theorem positive_definite_ok g form d l (h : list (list E)) :
  rules_ok_b s g && vanish g (Sub form (squares d l)) && forallb (fun e => fst (sign_of (pz_of g) e)) d && Nat.eqb (length d) (length l) &&
  forallb (fun k => vanish g (Sub (V (nth k z 1%positive)) (dot (nth k h []) l))) (seq 0 (length z)) = true ->
  positive_definite (nz_of g) (pz_of g) form.
Proof.
  intros H r T G [n [I Z]]. apply andb_prop in H as [H B]. apply andb_prop in H as [H L]. apply andb_prop in H as [H P].
  apply andb_prop in H as [R0 F]. apply Nat.eqb_eq in L. rewrite forallb_forall in P, B.
  apply (vanish_ok s g r T G _ R0) in F. change (ev r form + - ev r (squares d l) = 0) in F.
  assert (X : ~ (forall e, In e l -> ev r e = 0)).
  { intros A. destruct (In_nth z n 1%positive I) as [k [K1 K2]].
    specialize (B k (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) K1))). rewrite K2 in B.
    apply (vanish_ok s g r T G _ R0) in B. simpl in B. rewrite dot_zero in B by auto. lra. }
  assert (Y : 0 <= ev r (squares d l) /\ (ev r (squares d l) = 0 -> forall e, In e l -> ev r e = 0)).
  { clear - P L G. revert l L. induction d as [|a d IH]; intros [|b l] L; try discriminate L.
    - split; [unfold squares; simpl; rewrite Q2R_0; lra | intros _ e []].
    - assert (A : 0 < ev r a) by (apply (proj1 (sign_of_ok _ _ r G a)), P; now left).
      destruct (IH (fun e J => P e (or_intror J)) l (eq_add_S _ _ L)) as [C1 C2].
      unfold squares, dot in *. cbn [map products]. rewrite total_cons.
      assert (S2 : 0 <= ev r (Mul a (Pow b 2))).
      { simpl. apply Rmult_le_pos; [lra|]. rewrite Rmult_1_r. apply Rle_0_sqr. }
      split; [lra|]. intros Z e [<-|J].
      + assert (Q : ev r (Mul a (Pow b 2)) = 0) by lra. simpl in Q. rewrite Rmult_1_r in Q.
        apply Rmult_integral in Q as [Q|Q]; [lra|]. now apply Rsqr_0_uniq.
      + apply C2; [lra | exact J]. }
  destruct Y as [Y1 Y2]. destruct (Req_dec (ev r (squares d l)) 0) as [Q|Q]; [exfalso; apply X; now apply Y2 | lra].
Qed.
End Definite.

(* ---- Two forms of the equations, in speeds z = Z(q, v) and w = W(q, v): dz/dt = F(q, z), dw/dt = H(q, w). *)
Section Agreement.
Variables (s : System) (z : list positive) (Z : list E) (w : list positive) (W : list E).
(* Curves on the constraint, with the velocities of their functions, and speeds as they are defined. *)
Definition unmoved (n : positive) : bool := existsb (Pos.eqb n) (time s :: parameters s ++ functions s).
Record curve (rho : R -> env) : Prop := {
  runs : forall t n, unmoved n = true -> is_derive (fun u => rho u n) t (ev (rho t) (dt s n));
  in_space : forall t e, In e (relations s) -> ev (rho t) e = 0;
  obeys : forall t c, In c (constraints s) -> ev (rho t) c = 0;
  first_speeds : forall t a, (a < length z)%nat -> rho t (nth a z 1%positive) = ev (rho t) (nth a Z zeroE);
  other_speeds : forall t a, (a < length w)%nat -> rho t (nth a w 1%positive) = ev (rho t) (nth a W zeroE)
}.
Definition satisfies (rho : R -> env) (speeds : list positive) (F : list E) : Prop :=
  forall t a, (a < length speeds)%nat -> is_derive (fun u => rho u (nth a speeds 1%positive)) t (ev (rho t) (nth a F zeroE)).
Definition equivalent (nz pz : list E) (F H : list E) : Prop :=
  forall rho, curve rho -> (forall t, defined nz pz (rho t)) -> (satisfies rho z F <-> satisfies rho w H).
End Agreement.
Lemma look_combine n a : forall (l : list positive) (m : list E), look n (combine l m) = Some a ->
  exists i, (i < length l)%nat /\ nth i l 1%positive = n /\ nth i m zeroE = a.
Proof.
  induction l as [|k l IH]; intros [|e m] H; simpl in H; try discriminate. destruct (Pos.eqb k n) eqn:Q.
  - injection H as <-. apply Pos.eqb_eq in Q. exists O. simpl. repeat split; auto. lia.
  - destruct (IH m H) as [i [A [B C]]]. exists (S i). simpl. repeat split; auto. lia.
Qed.
Lemma dot_ext r : forall a b c, length a = length b -> (forall i, (i < length a)%nat -> ev r (nth i a zeroE) = ev r (nth i b zeroE)) ->
  ev r (dot a c) = ev r (dot b c).
Proof.
  unfold dot. induction a as [|x a IH]; intros [|y b] c L H; try discriminate L; auto. destruct c as [|d c]; auto.
  cbn [products]. rewrite !total_cons. rewrite (IH b c (eq_add_S _ _ L)).
  - simpl. pose proof (H O (Nat.lt_0_succ _)) as H0. simpl in H0. rewrite H0. reflexivity.
  - intros i I. apply (H (S i)). simpl. lia.
Qed.
Section Leads.
Variables (s : System) (z : list positive) (Z psi F : list E) (w : list positive) (W H : list E).
(* w = G(q, z) on the constraint. *)
Definition by_z : list E := map (sub (combine (velocities s) psi)) W.
Definition moved (n : positive) : bool := unmoved s n || existsb (Pos.eqb n) z.
Definition rate_z_of (n : positive) : E := match look n (flow s z psi F) with Some a => a | None => K 0 1 end.
Definition by_psi : list (positive * E) := combine (velocities s) psi.
Definition leads_b (g : reading) (x : elimination) : bool :=
  rules_ok_b s g && solved_ok s g x &&
  (Nat.eqb (length W) (length w) &&
  (forallb (fun i => vanish g (sub (solved x) (Sub (V (velocity s i)) (sub (combine z Z) (nth i psi zeroE))))) (seq 0 (length (velocities s))) &&
  (forallb (fun n => vanish g (Sub (sub by_psi (dt s n)) (rate_z_of n))) (time s :: parameters s ++ functions s) &&
  (forallb (fun a => eqb (rate_z_of (nth a z 1%positive)) (nth a F zeroE)) (seq 0 (length z)) &&
  (forallb (fun e => all moved e && okb (nz_of g) (pz_of g) e) by_z &&
   forallb (fun a => vanish g (sub (solved x) (Sub (D rate_z_of (nth a by_z zeroE)) (sub (combine w by_z) (nth a H zeroE))))) (seq 0 (length w))))))).
Section One.
Variables (g : reading) (x : elimination) (rho : R -> env).
Hypothesis C : curve s z Z w W rho.
Hypothesis N : forall t, defined (nz_of g) (pz_of g) (rho t).
Hypothesis L : leads_b g x = true.
Hypothesis S1 : satisfies rho z F.
Lemma leads_parts :
  rules_ok_b s g && solved_ok s g x = true /\ length W = length w /\
  (forall i, (i < length (velocities s))%nat -> vanish g (sub (solved x) (Sub (V (velocity s i)) (sub (combine z Z) (nth i psi zeroE)))) = true) /\
  (forall n, In n (time s :: parameters s ++ functions s) -> vanish g (Sub (sub by_psi (dt s n)) (rate_z_of n)) = true) /\
  (forall a, (a < length z)%nat -> rate_z_of (nth a z 1%positive) = nth a F zeroE) /\
  (forall e, In e by_z -> all moved e && okb (nz_of g) (pz_of g) e = true) /\
  (forall a, (a < length w)%nat -> vanish g (sub (solved x) (Sub (D rate_z_of (nth a by_z zeroE)) (sub (combine w by_z) (nth a H zeroE)))) = true).
Proof.
  pose proof L as T. unfold leads_b in T.
  apply andb_prop in T as [A T]. apply andb_prop in T as [B T]. apply andb_prop in T as [V0 T]. apply andb_prop in T as [P T].
  apply andb_prop in T as [Q T]. apply andb_prop in T as [O T]. rewrite forallb_forall in V0, P, Q, O, T.
  split; [exact A|]. split; [now apply Nat.eqb_eq|]. split; [intros i I; apply V0, in_seq; lia|]. split; [exact P|].
  split; [intros a I; apply eqb_ok, Q, in_seq; lia|]. split; [exact O|]. intros a I. apply T, in_seq. lia.
Qed.
Lemma velocities_by_z t i : (i < length (velocities s))%nat -> rho t (velocity s i) = ev (rho t) (nth i psi zeroE).
Proof.
  intros I. destruct leads_parts as [R0 [_ [V0 _]]].
  pose proof (on_constraint_ok s g x (Sub (V (velocity s i)) (sub (combine z Z) (nth i psi zeroE)))) as O.
  rewrite R0 in O. specialize (O (V0 i I) (rho t) (in_space s z Z w W rho C t) (obeys s z Z w W rho C t) (N t)).
  change (rho t (velocity s i) + - ev (rho t) (sub (combine z Z) (nth i psi zeroE)) = 0) in O.
  rewrite sub_ok in O; [lra|]. intros n a Q. apply look_combine in Q as [j [A [B D']]]. subst. symmetry. now apply (first_speeds s z Z w W rho C).
Qed.
Lemma by_psi_ok t e : ev (rho t) (sub by_psi e) = ev (rho t) e.
Proof.
  apply sub_ok. intros n a Q. apply look_combine in Q as [j [A [B D']]]. subst. symmetry. now apply velocities_by_z.
Qed.
Lemma by_z_values t a : (a < length w)%nat -> ev (rho t) (nth a by_z zeroE) = rho t (nth a w 1%positive).
Proof.
  intros I. rewrite (other_speeds s z Z w W rho C t a I). destruct leads_parts as [_ [LW _]].
  unfold by_z. rewrite (nth_indep _ zeroE (sub (combine (velocities s) psi) zeroE)) by (rewrite map_length; lia).
  rewrite map_nth. apply by_psi_ok.
Qed.
Lemma moved_rate t n : moved n = true -> is_derive (fun u => rho u n) t (ev (rho t) (rate_z_of n)).
Proof.
  destruct leads_parts as [R0 [_ [_ [P [Q _]]]]]. unfold moved. intros M. apply orb_prop in M as [M|M].
  - assert (I : In n (time s :: parameters s ++ functions s)).
    { unfold unmoved in M. apply existsb_exists in M as [m [J X]]. apply Pos.eqb_eq in X. now subst. }
    specialize (P n I). apply andb_prop in R0 as [R0 _].
    apply (vanish_ok s g (rho t) (in_space s z Z w W rho C t) (N t) _ R0) in P.
    change (ev (rho t) (sub by_psi (dt s n)) + - ev (rho t) (rate_z_of n) = 0) in P. rewrite by_psi_ok in P.
    replace (ev (rho t) (rate_z_of n)) with (ev (rho t) (dt s n)) by lra. now apply (runs s z Z w W rho C).
  - apply existsb_exists in M as [m [J X]]. apply Pos.eqb_eq in X. subst m. destruct (In_nth z n 1%positive J) as [a [A B]].
    rewrite <- B, (Q a A). now apply S1.
Qed.
Lemma leads : satisfies rho w H.
Proof.
  intros t a I. destruct leads_parts as [R0 [LW [_ [_ [_ [O T]]]]]].
  assert (J : In (nth a by_z zeroE) by_z) by (apply nth_In; unfold by_z; rewrite map_length; lia).
  destruct (andb_prop _ _ (O _ J)) as [A1 A2].
  apply (is_derive_ext (fun u => ev (rho u) (nth a by_z zeroE))); [intros u; now apply by_z_values|].
  replace (ev (rho t) (nth a H zeroE)) with (ev (rho t) (D rate_z_of (nth a by_z zeroE))).
  - apply (D_ok rho rate_z_of moved t); auto.
    + intros n M. now apply moved_rate.
    + apply (okb_ok (nz_of g) (pz_of g)); auto.
  - pose proof (on_constraint_ok s g x (Sub (D rate_z_of (nth a by_z zeroE)) (sub (combine w by_z) (nth a H zeroE)))) as Y.
    rewrite R0 in Y. specialize (Y (T a I) (rho t) (in_space s z Z w W rho C t) (obeys s z Z w W rho C t) (N t)).
    change (ev (rho t) (D rate_z_of (nth a by_z zeroE)) + - ev (rho t) (sub (combine w by_z) (nth a H zeroE)) = 0) in Y.
    rewrite (sub_ok (rho t) (combine w by_z)) in Y; [lra|].
    intros n e Q. apply look_combine in Q as [j [B [D' E']]]. subst. now apply by_z_values.
Qed.
End One.
End Leads.
Lemma curve_sym s z Z w W rho : curve s z Z w W rho -> curve s w W z Z rho.
Proof. intros [A B C D' E']. now constructor. Qed.
Theorem equivalent_ok s z Z psi F w W phi H g x :
  leads_b s z Z psi F w W H g x && leads_b s w W phi H z Z F g x = true -> equivalent s z Z w W (nz_of g) (pz_of g) F H.
Proof.
  intros L rho C N. apply andb_prop in L as [A B]. split; intros S.
  - now apply (leads s z Z psi F w W H g x rho C N A).
  - now apply (leads s w W phi H z Z F g x rho (curve_sym _ _ _ _ _ _ C) N B).
Qed.
(* ---- No multiplier. With p_a the momenta of the legs of D, theta^a a coframe that vanishes on the orbits, p = p_a theta^a, a multiplier f with
   sigma = d ln f and S = f F asks, at every configuration and for all speeds z, for
       (sigma_b z^b) p_a - (p_b z^b) sigma_a + F_ba z^b + (i_Gamma dp + dE)(X_a) = 0. *)
Section NoMultiplier.
Variables (s : System) (speeds : list positive) (psi F : list E) (coframe : list (list E)).
Definition rank_z : nat := length speeds.
Definition dim_z : nat := length (velocities s).
Definition X_of (a : nat) : list E := map (partial (nth a speeds 1%positive)) psi.
Definition p_of (a : nat) : E :=
  let e := dot (X_of a) (map (fun i => sub (on_D s psi) (momentum s i)) (seq 0 dim_z)) in Sub e (sub (at_rest speeds) e).
Definition p_form : list E := map (fun i => dot (map p_of (seq 0 rank_z)) (map (fun row => nth i row zeroE) coframe)) (seq 0 dim_z).
Definition form_p (i j : nat) : E := two_form s speeds p_form [] i j.
Definition right_side (a : nat) : E :=
  dot (X_of a) (map (fun j => Add (dot (field_of_motion psi F) (map (fun l => form_p l j) (seq 0 (dim_D s speeds))))
                                  (slope_z s speeds j (energy_z s psi))) (seq 0 dim_z)).
Definition pairs : list (nat * nat) := flat_map (fun b => map (fun c => (b, c)) (seq (S b) (rank_z - S b))) (seq 0 rank_z).
(* What stands at sigma_1, ..., sigma_m, F_12, F_13, ... in the equation of leg a. *)
Definition power : E := dot (map p_of (seq 0 rank_z)) (map V speeds).
Definition zV (b : nat) : E := V (nth b speeds 1%positive).
Definition coefficients_of (a : nat) : list E :=
  map (fun b => Sub (Mul (p_of a) (zV b)) (if Nat.eqb a b then power else zeroE)) (seq 0 rank_z) ++
  map (fun y => if Nat.eqb a (snd y) then zV (fst y) else if Nat.eqb a (fst y) then Opp (zV (snd y)) else zeroE) pairs.
Definition unknowns : nat := (rank_z + length pairs)%nat.
Definition on_base (n : positive) : bool := existsb (Pos.eqb n) (time s :: parameters s ++ functions s).
(* The numbers u = (sigma, F) satisfy the equations at the configuration r, whatever the speeds. *)
Definition solves (nz pz : list E) (r : env) (u : nat -> R) : Prop :=
  forall q, (forall n, existsb (Pos.eqb n) speeds = false -> q n = r n) -> defined nz pz q -> forall a, (a < rank_z)%nat ->
    sum_over (seq 0 unknowns) (fun k => ev q (nth k (coefficients_of a) zeroE) * u k) + ev q (right_side a) = 0.
(* The orbits complement D, and the coframe vanishes on them. *)
Definition complements (nz pz : list E) (orbits : list (list E)) : Prop :=
  (length orbits + rank_z = dim_z)%nat /\
  (forall a b, (a < rank_z)%nat -> (b < rank_z)%nat ->
     identity s nz pz (Sub (dot (nth a coframe []) (X_of b)) (K (if Nat.eqb a b then 1 else 0) 1))) /\
  (forall a o, (a < rank_z)%nat -> In o orbits -> identity s nz pz (dot (nth a coframe []) o)) /\
  (forall o, In o orbits -> symmetry s nz pz o).
Definition no_slopes (nz pz : list E) : Prop :=
  exists r, (forall e, In e (relations s) -> ev r e = 0) /\ defined nz pz r /\ forall u, ~ solves nz pz r u.
Definition no_multiplier (nz pz : list E) (orbits : list (list E)) : Prop := complements nz pz orbits /\ no_slopes nz pz.

(* Samples: an equation a, speeds, and numbers: its weight for each combination. *)
Variables (g : reading) (x : point).
Definition sample_point (v : list Q) : point := {| plain := combine speeds v ++ plain x; turned := turned x |}.
Definition defined_at (y : point) : bool := forallb (nonzero_at g y []) (nz_of g) && forallb (positive_at g y) (pz_of g).
Definition sample_ok (y : nat * list Q) : bool :=
  Nat.ltb (fst y) rank_z && distinct (map fst (plain (sample_point (snd y))) ++ map fst (turned x)) && defined_at (sample_point (snd y)).
Definition env_at (r : env) (v : list Q) : env :=
  fun n => match lookup n (plain (sample_point v)) with Some c => Q2R c | None => r n end.
Lemma defined_at_ok y r : here y r -> defined_at y = true -> defined (nz_of g) (pz_of g) r.
Proof.
  intros T H. apply andb_prop in H as [A B]. rewrite forallb_forall in A, B. split.
  - intros d I. apply (nonzero_at_ok g y r T [] d (fun d (I : In d []) => match I with end)). auto.
  - intros d I. apply (positive_at_ok g y r T). auto.
Qed.
Lemma lookup_distinct {A} n (a : A) m : forall l, distinct (map fst l ++ m) = true -> In (n, a) l -> lookup n l = Some a.
Proof.
  induction l as [|[k b] l IH]; simpl; intros D' I; [tauto|]. apply andb_prop in D' as [N D'].
  destruct I as [I|I].
  - injection I as -> ->. now rewrite Pos.eqb_refl.
  - destruct (Pos.eqb k n) eqn:Q; [|auto]. apply Pos.eqb_eq in Q. subst k. exfalso. apply negb_true_iff in N.
    assert (T : existsb (Pos.eqb n) (map fst l ++ m) = true).
    { apply existsb_exists. exists n. split; [|apply Pos.eqb_refl]. apply in_app_iff. left. apply in_map_iff. now exists (n, a). }
    congruence.
Qed.
Lemma lookup_apart {A} n (l : list (positive * A)) : forall m, distinct (map fst l ++ m) = true -> In n m -> lookup n l = None.
Proof.
  intros m. induction l as [|[k b] l IH]; simpl; intros D' I; auto. apply andb_prop in D' as [N D'].
  destruct (Pos.eqb k n) eqn:Q; [|auto]. apply Pos.eqb_eq in Q. subst k. exfalso. apply negb_true_iff in N.
  assert (T : existsb (Pos.eqb n) (map fst l ++ m) = true).
  { apply existsb_exists. exists n. split; [|apply Pos.eqb_refl]. apply in_app_iff. now right. }
  congruence.
Qed.
Lemma env_at_here r v : here x r -> distinct (map fst (plain (sample_point v)) ++ map fst (turned x)) = true -> here (sample_point v) (env_at r v).
Proof.
  intros [A B] D'. split.
  - intros n c I. unfold env_at. now rewrite (lookup_distinct n c (map fst (turned x)) _ D' I).
  - intros n c d I. unfold env_at. rewrite (lookup_apart n _ (map fst (turned x)) D').
    + now apply B.
    + apply in_map_iff. now exists (n, (c, d)).
Qed.
Lemma in_combine_fst {A B} (l : list A) : forall (m : list B) a b, In (a, b) (combine l m) -> In a l.
Proof. induction l as [|y l IH]; intros [|z m] a b I; simpl in *; try tauto. destruct I as [I|I]; [injection I as -> _; now left | right; eauto]. Qed.
Lemma env_at_base r v n : here x r -> existsb (Pos.eqb n) speeds = false -> env_at r v n = r n.
Proof.
  intros [A _] N. unfold env_at. destruct (lookup n (plain (sample_point v))) as [c|] eqn:L; auto.
  apply lookup_in in L. simpl in L. apply in_app_iff in L as [L|L].
  - apply in_combine_fst in L. exfalso. assert (T : existsb (Pos.eqb n) speeds = true).
    { apply existsb_exists. exists n. split; auto. apply Pos.eqb_refl. }
    congruence.
  - symmetry. now apply A.
Qed.
Definition value_of (y : nat * list Q) (e : nat -> E) : option Q := qv (sample_point (snd y)) (e (fst y)).
(* The weighted sum over the samples. *)
Fixpoint weighted (samples : list (nat * list Q)) (w : list Q) (e : nat -> E) : option Q :=
  match samples, w with
  | y :: samples, c :: w =>
      if Qeq_bool c q0 then weighted samples w e else
      match value_of y e, weighted samples w e with Some a, Some b => Some (qadd (qmul c a) b) | _, _ => None end
  | _, _ => Some q0
  end.
Definition real_sum (r : env) (samples : list (nat * list Q)) (w : list Q) (f : nat -> env -> R) : R :=
  fold_right (fun y a => Q2R (snd y) * f (fst (fst y)) (env_at r (snd (fst y))) + a) 0 (combine samples w).
Lemma weighted_ok r e : here x r -> forall samples w q, forallb sample_ok samples = true -> weighted samples w e = Some q ->
  real_sum r samples w (fun a r => ev r (e a)) = Q2R q.
Proof.
  intros T. induction samples as [|y samples IH]; intros [|c w] q S H; simpl in H; unfold real_sum in *; simpl;
    try (injection H as <-; symmetry; apply Q2R_0).
  simpl in S. apply andb_prop in S as [S0 S]. destruct (Qeq_bool c q0) eqn:Z.
  - rewrite (IH w q S H), (qzero _ Z). ring.
  - destruct (value_of y e) as [a|] eqn:V; [|discriminate]. destruct (weighted samples w e) as [b|] eqn:W; [|discriminate].
    injection H as <-. rewrite qadd_ok, qmul_ok, (IH w b S W). f_equal. f_equal.
    unfold sample_ok in S0. apply andb_prop in S0 as [S0 _]. apply andb_prop in S0 as [_ D'].
    apply (qv_ok (sample_point (snd y))); [now apply env_at_here | exact V].
Qed.
Lemma real_sum_zero r samples : forall w f, (forall y, In y samples -> f (fst y) (env_at r (snd y)) = 0) -> real_sum r samples w f = 0.
Proof.
  unfold real_sum. induction samples as [|y samples IH]; intros [|c w] f H; simpl; auto.
  rewrite (IH w f) by (intros; apply H; now right). rewrite (H y) by now left. ring.
Qed.
Lemma real_sum_add r samples : forall w f h, real_sum r samples w (fun a r => f a r + h a r) = real_sum r samples w f + real_sum r samples w h.
Proof. unfold real_sum. induction samples as [|y samples IH]; intros [|c w] f h; simpl; try ring. rewrite IH. ring. Qed.
Lemma real_sum_over r samples (u : nat -> R) (f : nat -> nat -> env -> R) : forall w l,
  real_sum r samples w (fun a r => sum_over l (fun k => f k a r * u k)) = sum_over l (fun k => real_sum r samples w (f k) * u k).
Proof.
  intros w. induction l as [|k l IH]; simpl.
  - apply real_sum_zero. auto.
  - rewrite real_sum_add, IH. f_equal. unfold real_sum. clear. revert w.
    induction samples as [|y samples IH]; intros [|c w]; simpl; try ring. rewrite IH. ring.
Qed.
Definition column_of (k : nat) (a : nat) : E := nth k (coefficients_of a) zeroE.
Definition sums_to (samples : list (nat * list Q)) (w : list Q) (e : nat -> E) (test : Q -> bool) : bool :=
  match weighted samples w e with Some q => test q | None => false end.
(* Weights that remove every unknown, and leave a number. *)
Definition contradiction_b (samples : list (nat * list Q)) (w : list Q) : bool :=
  forallb sample_ok samples &&
  forallb (fun k => sums_to samples w (column_of k) (fun q => Qeq_bool q q0)) (seq 0 unknowns) &&
  sums_to samples w right_side (fun q => negb (Qeq_bool q q0)).
Lemma solves_here r u samples w : here x r -> forallb sample_ok samples = true -> solves (nz_of g) (pz_of g) r u ->
  sum_over (seq 0 unknowns) (fun k => real_sum r samples w (fun a r => ev r (column_of k a)) * u k) +
  real_sum r samples w (fun a r => ev r (right_side a)) = 0.
Proof.
  intros T S H. rewrite <- (real_sum_over r samples u (fun k a r => ev r (column_of k a))), <- real_sum_add.
  apply real_sum_zero. intros y I. rewrite forallb_forall in S. specialize (S y I). unfold sample_ok in S.
  apply andb_prop in S as [S D0]. apply andb_prop in S as [L D']. apply Nat.ltb_lt in L.
  apply H; auto.
  - intros n N. now apply env_at_base.
  - apply (defined_at_ok (sample_point (snd y))); auto. now apply env_at_here.
Qed.
Lemma no_slopes_ok samples w : point_ok g x (relations s) && contradiction_b samples w = true -> no_slopes (nz_of g) (pz_of g).
Proof.
  intros H. apply andb_prop in H as [P H]. apply andb_prop in H as [H N]. apply andb_prop in H as [S Z]. rewrite forallb_forall in Z.
  destruct (point_there g x _ P) as [r [T [A G]]]. exists r. split; [exact A|]. split; [exact G|]. intros u U.
  pose proof (solves_here r u samples w T S U) as Q. unfold sums_to in *.
  destruct (weighted samples w right_side) as [b|] eqn:B; [|discriminate]. rewrite (weighted_ok r right_side T _ _ _ S B) in Q.
  rewrite sum_zero in Q.
  - apply negb_true_iff in N. apply Qeq_bool_neq in N. apply N. apply eqR_Qeq. unfold q0. rewrite Q2R_0. lra.
  - intros k I. specialize (Z k I). destruct (weighted samples w (column_of k)) as [c|] eqn:C; [|discriminate].
    rewrite (weighted_ok r (column_of k) T _ _ _ S C), (qzero _ Z). ring.
Qed.
Definition complements_b (elim : elimination) (orbits : list (list E)) : bool :=
  rules_ok_b s g && Nat.eqb (length orbits + rank_z) dim_z &&
  forallb (fun a => forallb (fun b => vanish g (Sub (dot (nth a coframe []) (X_of b)) (K (if Nat.eqb a b then 1 else 0) 1))) (seq 0 rank_z) &&
                    forallb (fun o => vanish g (dot (nth a coframe []) o)) orbits) (seq 0 rank_z) &&
  forallb (symmetry_b s g elim) orbits.
Lemma complements_ok elim orbits : complements_b elim orbits = true -> complements (nz_of g) (pz_of g) orbits.
Proof.
  intros H. apply andb_prop in H as [H Y]. apply andb_prop in H as [H C]. apply andb_prop in H as [R0 L].
  rewrite forallb_forall in C, Y. split; [now apply Nat.eqb_eq|]. split; [|split].
  - intros a b I J. destruct (andb_prop _ _ (C a (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) I)))) as [B _].
    rewrite forallb_forall in B. apply identity_ok. rewrite R0. apply B. apply in_seq. lia.
  - intros a o I J. destruct (andb_prop _ _ (C a (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) I)))) as [_ B].
    rewrite forallb_forall in B. apply identity_ok. rewrite R0. now apply B.
  - intros o I. apply (symmetry_ok s g elim). now apply Y.
Qed.
Theorem no_multiplier_ok elim orbits samples w :
  complements_b elim orbits && (point_ok g x (relations s) && contradiction_b samples w) = true ->
  no_multiplier (nz_of g) (pz_of g) orbits.
Proof. intros H. apply andb_prop in H as [A B]. split; [now apply (complements_ok elim) | now apply (no_slopes_ok samples w)]. Qed.

(* One candidate: the equations have one solution, that of stated forms on Q, which vanish on the orbits and are not closed. *)
Variables (slopes : list E) (twisted : list (nat * nat * E)).
Definition candidate (k : nat) : E :=
  if Nat.ltb k rank_z then dot (X_of k) slopes
  else let y := nth (k - rank_z) pairs (O, O) in
       dot (X_of (fst y)) (map (fun i => dot (X_of (snd y)) (map (fun j => twist twisted i j) (seq 0 dim_z))) (seq 0 dim_z)).
(* X_i s_j - X_j s_i - c_ij^k s_k, and dF + s ^ F on X_i, X_j, X_k. *)
Definition curl_of (i j : nat) : E :=
  Sub (Sub (along (leg s i) (nth j slopes zeroE)) (along (leg s j) (nth i slopes zeroE)))
      (total (flat_map (fun y => match y with (k, l, m, c) =>
         if Nat.eqb i k && Nat.eqb j l then [Mul c (nth m slopes zeroE)] else [] end) (structure s))).
Definition twisted_closure_of (i j k : nat) : E :=
  Add (closure_of s twisted i j k)
      (Add (Mul (nth i slopes zeroE) (twist twisted j k))
           (Add (Mul (nth j slopes zeroE) (twist twisted k i)) (Mul (nth k slopes zeroE) (twist twisted i j)))).
Definition equation_of_candidate (a : nat) : E := Add (dot (coefficients_of a) (map candidate (seq 0 unknowns))) (right_side a).
Definition one_solution (nz pz : list E) : Prop :=
  exists r, (forall e, In e (relations s) -> ev r e = 0) /\ defined nz pz r /\
    forall u v, solves nz pz r u -> solves nz pz r v -> forall k, (k < unknowns)%nat -> u k = v k.
Definition no_closed_candidate (nz pz : list E) (orbits : list (list E)) : Prop :=
  complements nz pz orbits /\
  (forall a, (a < rank_z)%nat -> identity s nz pz (equation_of_candidate a)) /\
  (forall o, In o orbits -> identity s nz pz (dot o slopes) /\
     forall j, (j < dim_z)%nat -> identity s nz pz (dot o (map (fun i => twist twisted i j) (seq 0 dim_z)))) /\
  one_solution nz pz /\
  ((exists i j, seen s nz pz (curl_of i j)) \/ (exists i j k, seen s nz pz (twisted_closure_of i j k))).
Definition unique_b (samples : list (nat * list Q)) (ws : list (list Q)) : bool :=
  forallb sample_ok samples &&
  forallb (fun k => forallb (fun l => sums_to samples (nth k ws []) (column_of l) (fun q => Qeq_bool q (if Nat.eqb k l then (1 # 1)%Q else q0)))
    (seq 0 unknowns)) (seq 0 unknowns).
Lemma seq_nodup : forall n a, NoDup (seq a n).
Proof. induction n; intros a; simpl; constructor; auto. intros I. apply in_seq in I. lia. Qed.
Lemma one_solution_ok samples ws : point_ok g x (relations s) && unique_b samples ws = true -> one_solution (nz_of g) (pz_of g).
Proof.
  intros H. apply andb_prop in H as [P H]. apply andb_prop in H as [S Z]. rewrite forallb_forall in Z.
  destruct (point_there g x _ P) as [r [T [A G]]]. exists r. split; [exact A|]. split; [exact G|]. intros u v U W k I.
  specialize (Z k (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) I))). rewrite forallb_forall in Z. set (w := nth k ws []) in *.
  pose proof (solves_here r u samples w T S U) as Q1. pose proof (solves_here r v samples w T S W) as Q2.
  assert (D' : forall f : nat -> R, sum_over (seq 0 unknowns) (fun l => real_sum r samples w (fun a r => ev r (column_of l a)) * f l) = f k).
  { intros f. rewrite (sum_one k).
    - specialize (Z k (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) I))). unfold sums_to in Z.
      destruct (weighted samples w (column_of k)) as [q|] eqn:B; [|discriminate]. rewrite (weighted_ok r (column_of k) T _ _ _ S B).
      rewrite Nat.eqb_refl in Z. apply Qeq_bool_eq, Qeq_eqR in Z. rewrite Z, Q2R_1. ring.
    - apply seq_nodup.
    - apply in_seq. lia.
    - intros l J N. specialize (Z l J). unfold sums_to in Z.
      destruct (weighted samples w (column_of l)) as [q|] eqn:B; [|discriminate]. rewrite (weighted_ok r (column_of l) T _ _ _ S B).
      destruct (Nat.eqb k l) eqn:X; [apply Nat.eqb_eq in X; congruence|]. rewrite (qzero _ Z). ring. }
  rewrite D' in Q1, Q2. lra.
Qed.
Definition candidate_b (elim : elimination) (orbits : list (list E)) : bool :=
  complements_b elim orbits && forallb (fun a => vanish g (equation_of_candidate a)) (seq 0 rank_z) &&
  forallb (fun o => vanish g (dot o slopes) &&
    forallb (fun j => vanish g (dot o (map (fun i => twist twisted i j) (seq 0 dim_z)))) (seq 0 dim_z)) orbits.
Theorem no_closed_candidate_ok elim orbits samples ws y (open : nat * nat + nat * nat * nat) :
  candidate_b elim orbits && (point_ok g x (relations s) && unique_b samples ws) &&
  (point_ok g y (relations s) && nonzero_at g y (nz_of g)
     match open with inl (i, j) => curl_of i j | inr (i, j, k) => twisted_closure_of i j k end) = true ->
  no_closed_candidate (nz_of g) (pz_of g) orbits.
Proof.
  intros H. apply andb_prop in H as [H O]. apply andb_prop in H as [H U]. apply andb_prop in H as [H B]. apply andb_prop in H as [C A].
  assert (R0 : rules_ok_b s g = true).
  { unfold complements_b in C. apply andb_prop in C as [C _]. apply andb_prop in C as [C _]. now apply andb_prop in C as [C _]. }
  rewrite forallb_forall in A, B. split; [now apply (complements_ok elim)|]. split; [|split; [|split]].
  - intros a I. apply identity_ok. rewrite R0. apply A. apply in_seq. lia.
  - intros o I. destruct (andb_prop _ _ (B o I)) as [B1 B2]. rewrite forallb_forall in B2. split.
    + apply identity_ok. now rewrite R0, B1.
    + intros j J. apply identity_ok. rewrite R0. apply B2. apply in_seq. lia.
  - now apply (one_solution_ok samples ws).
  - destruct open as [[i j]|[[i j] k]]; [left; exists i, j | right; exists i, j, k]; now apply (seen_ok s g y).
Qed.
End NoMultiplier.

(* ---- Expressions near a point: they are continuous where they have their meaning. *)
Section Near.
Variables (p : positive -> bool) (r0 : env).
Definition near_to (d : R) (r : env) : Prop := forall n, p n = true -> Rabs (r n - r0 n) < d.
Definition around (Q : env -> Prop) : Prop := exists d, 0 < d /\ forall r, near_to d r -> Q r.
Lemma near_to_le d e r : d <= e -> near_to d r -> near_to e r.
Proof. intros L H n P. specialize (H n P). lra. Qed.
Global Instance around_filter : Filter around.
Proof.
  constructor.
  - exists 1. split; [lra|auto].
  - intros P Q [a [A HA]] [b [B HB]]. exists (Rmin a b). split; [now apply Rmin_pos|]. intros r H. split.
    + apply HA. revert H. apply near_to_le, Rmin_l.
    + apply HB. revert H. apply near_to_le, Rmin_r.
  - intros P Q I [a [A HA]]. exists a. split; auto.
Qed.
Lemma around_here Q : around Q -> Q r0.
Proof.
  intros [d [P H]]. apply H. intros n _. replace (r0 n - r0 n) with 0 by ring. rewrite Rabs_R0. exact P.
Qed.
Lemma continuous_at f x (l : R) : ex_derive f x -> l = f x -> filterlim f (locally x) (locally l).
Proof. intros H ->. exact (ex_derive_continuous f x H). Qed.
Lemma ev_limit : forall e, all p e = true -> ok r0 e -> filterlim (fun r => ev r e) around (locally (ev r0 e)).
Proof.
  induction e; simpl; intros A O.
  - apply filterlim_const.
  - intros P [d H]. exists d. split; [apply cond_pos|]. intros r N. apply H. exact (N n A).
  - apply andb_prop in A as [A B]. destruct O as [O1 O2].
    apply (filterlim_comp_2 (F := around) (G := locally (ev r0 e1)) (H := locally (ev r0 e2)) (fun r => ev r e1) (fun r => ev r e2) Rplus);
      auto. apply (filterlim_plus (ev r0 e1) (ev r0 e2)).
  - apply andb_prop in A as [A B]. destruct O as [O1 O2].
    apply (filterlim_comp_2 (F := around) (G := locally (ev r0 e1)) (H := locally (ev r0 e2)) (fun r => ev r e1) (fun r => ev r e2) Rmult);
      auto. apply (filterlim_mult (ev r0 e1) (ev r0 e2)).
  - apply (filterlim_comp _ _ _ (fun r => ev r e) Ropp around (locally (ev r0 e))); auto. apply (filterlim_opp (ev r0 e)).
  - destruct O as [O Z]. apply (filterlim_comp _ _ _ (fun r => ev r e) Rinv around (locally (ev r0 e))); auto.
    apply continuous_at; auto. auto_derive. exact Z.
  - apply (filterlim_comp _ _ _ (fun r => ev r e) (fun x => x ^ n) around (locally (ev r0 e))); auto.
    apply continuous_at; auto. now auto_derive.
  - apply (filterlim_comp _ _ _ (fun r => ev r e) sin around (locally (ev r0 e))); auto. apply continuous_at; auto. now auto_derive.
  - apply (filterlim_comp _ _ _ (fun r => ev r e) cos around (locally (ev r0 e))); auto. apply continuous_at; auto. now auto_derive.
  - destruct O as [O Z]. apply (filterlim_comp _ _ _ (fun r => ev r e) sqrt around (locally (ev r0 e))); auto.
    apply continuous_at; auto. now auto_derive.
  - apply (filterlim_comp _ _ _ (fun r => ev r e) exp around (locally (ev r0 e))); auto. apply continuous_at; auto. now auto_derive.
  - destruct O as [O Z]. apply (filterlim_comp _ _ _ (fun r => ev r e) ln around (locally (ev r0 e))); auto.
    apply continuous_at; auto. now auto_derive.
Qed.
Lemma ev_near e eps : all p e = true -> ok r0 e -> 0 < eps -> around (fun r => Rabs (ev r e - ev r0 e) < eps).
Proof.
  intros A O P. apply (ev_limit e A O (fun y => Rabs (y - ev r0 e) < eps)). exists (mkposreal eps P). intros y H. exact H.
Qed.
Lemma ok_near : forall e, all p e = true -> ok r0 e -> around (fun r => ok r e).
Proof.
  assert (T : around (fun _ => True)) by (exists 1; split; [lra | auto]).
  induction e; simpl; intros A O; auto.
  - apply andb_prop in A as [A B]. destruct O. apply filter_and; auto.
  - apply andb_prop in A as [A B]. destruct O. apply filter_and; auto.
  - destruct O as [O Z]. apply filter_and; auto. apply (ev_limit e A O (fun y => y <> 0)).
    exists (mkposreal (Rabs (ev r0 e)) (Rabs_pos_lt _ Z)). intros y H E0. unfold ball in H. simpl in H. unfold AbsRing_ball, abs, minus, plus, opp in H.
    simpl in H. subst y. rewrite Rplus_0_l, Rabs_Ropp in H. lra.
  - destruct O as [O Z]. apply filter_and; auto. apply (ev_limit e A O (fun y => 0 < y)).
    exists (mkposreal (ev r0 e) Z). intros y H. unfold ball in H. simpl in H. unfold AbsRing_ball, abs, minus, plus, opp in H. simpl in H.
    apply Rabs_def2 in H. lra.
  - destruct O as [O Z]. apply filter_and; auto. apply (ev_limit e A O (fun y => 0 < y)).
    exists (mkposreal (ev r0 e) Z). intros y H. unfold ball in H. simpl in H. unfold AbsRing_ball, abs, minus, plus, opp in H. simpl in H.
    apply Rabs_def2 in H. lra.
Qed.
End Near.

(* ---- The derivative along a direction h. *)
Fixpoint slope_along (h : positive -> R) (r : env) (e : E) : R :=
  match e with
  | K _ _ => 0 | V n => h n
  | Add a b => slope_along h r a + slope_along h r b
  | Mul a b => slope_along h r a * ev r b + ev r a * slope_along h r b
  | Opp a => - slope_along h r a
  | Inv a => - (slope_along h r a * (/ ev r a * / ev r a))
  | Pow a n => match n with O => 0 | S m => INR n * slope_along h r a * ev r a ^ m end
  | Sin a => slope_along h r a * cos (ev r a)
  | Cos a => - (slope_along h r a * sin (ev r a))
  | Sqrt a => slope_along h r a * (/ 2 * / sqrt (ev r a))
  | Exp a => slope_along h r a * exp (ev r a)
  | Log a => slope_along h r a * / ev r a
  end.
Lemma slope_D d r : forall e, ev r (D d e) = slope_along (fun n => ev r (d n)) r e.
Proof.
  induction e; simpl; rewrite ?Q2R_0, ?Q2R_half; try congruence. destruct n as [|n].
  - simpl. apply Q2R_0.
  - change (Q2R (Z.of_nat (S n) # 1) * ev r (D d e) * ev r e ^ n = INR (S n) * slope_along (fun n => ev r (d n)) r e * ev r e ^ n).
    now rewrite Q2R_nat, IHe.
Qed.
Lemma slope_ext h k r p : (forall n, p n = true -> h n = k n) -> forall e, all p e = true -> slope_along h r e = slope_along k r e.
Proof.
  intros H. induction e; simpl; intros A; auto; try (apply andb_prop in A as [A B]; rewrite IHe1, IHe2; auto); try (rewrite IHe; auto).
Qed.
Lemma slope_add h k r c : forall e, slope_along (fun n => c * h n + k n) r e = c * slope_along h r e + slope_along k r e.
Proof.
  induction e; simpl; try (rewrite IHe1, IHe2; ring); try (rewrite IHe; ring); try ring.
  destruct n; [ring|]. rewrite IHe. ring.
Qed.
Definition unit_at (n m : positive) : R := if Pos.eqb m n then 1 else 0.
Lemma slope_partial r n e : slope_along (unit_at n) r e = ev r (partial n e).
Proof.
  unfold partial. rewrite slope_D. apply (slope_ext _ _ _ (fun _ => true)).
  - intros m _. unfold unit_at. destruct (Pos.eqb m n); simpl; [symmetry; apply Q2R_1 | symmetry; apply Q2R_0].
  - induction e; simpl; auto; now rewrite IHe1, IHe2.
Qed.
Definition sum_on {A} (l : list A) f g := @sum_ext A f g l.
Lemma slope_sum h r p : forall l e, distinct l = true -> (forall n, p n = true -> In n l \/ h n = 0) -> all p e = true ->
  slope_along h r e = sum_over l (fun n => h n * ev r (partial n e)).
Proof.
  intros l e. revert h p. induction l as [|m l IH]; intros h p U H A.
  - simpl. rewrite (slope_ext h (fun _ => 0) r p); auto.
    + pose proof (slope_add (fun _ => 0) (fun _ => 0) r (-1) e) as S.
      rewrite (slope_ext _ (fun _ => 0) r (fun _ => true)) in S; [lra | intros; ring |].
      clear. induction e; simpl; auto; now rewrite IHe1, IHe2.
    + intros n P. destruct (H n P) as [[]|]; auto.
  - simpl in *. apply andb_prop in U as [F U]. rewrite <- slope_partial.
    rewrite (slope_ext h (fun n => h m * unit_at m n + (if Pos.eqb n m then 0 else h n)) r p); auto.
    + rewrite slope_add. f_equal. rewrite (IH _ p U).
      * assert (G : forall k, (forall n, In n k -> Pos.eqb n m = false) ->
          sum_over k (fun n => (if Pos.eqb n m then 0 else h n) * ev r (partial n e)) = sum_over k (fun n => h n * ev r (partial n e))).
        { induction k as [|n k IHk]; simpl; intros N; auto. rewrite (N n) by now left. rewrite IHk; auto. }
        apply G. intros n I. destruct (Pos.eqb n m) eqn:Q; auto. apply Pos.eqb_eq in Q. subst. exfalso. apply negb_true_iff in F.
        assert (X : existsb (Pos.eqb m) l = true) by (apply existsb_exists; exists m; split; auto; apply Pos.eqb_refl). congruence.
      * intros n P. destruct (Pos.eqb n m) eqn:Q; [now right|]. destruct (H n P) as [[->|I]|Z]; auto. rewrite Pos.eqb_refl in Q. discriminate.
      * exact A.
    + intros n _. unfold unit_at. destruct (Pos.eqb n m) eqn:Q; [|ring]. apply Pos.eqb_eq in Q. subst. ring.
Qed.
(* Along a curve: the chain rule with real rates. *)
Lemma slope_ok (rho : R -> env) h p t : (forall n, p n = true -> is_derive (fun u => rho u n) t (h n)) ->
  forall e, all p e = true -> ok (rho t) e -> is_derive (fun u => ev (rho u) e) t (slope_along h (rho t) e).
Proof.
  intros H; induction e; simpl; intros A O.
  - apply @is_derive_const.
  - auto.
  - apply andb_prop in A; destruct A, O. apply @is_derive_plus; auto.
  - apply andb_prop in A; destruct A, O. apply @is_derive_mult; auto. intros; apply Rmult_comm.
  - apply @is_derive_opp; auto.
  - destruct O. replace (- (slope_along h (rho t) e * (/ ev (rho t) e * / ev (rho t) e)))
      with (- slope_along h (rho t) e / ev (rho t) e ^ 2) by (field; auto).
    apply is_derive_inv; auto.
  - destruct n as [|m]; [simpl; apply @is_derive_const|].
    change (is_derive (fun s => ev (rho s) e ^ S m) t (INR (S m) * slope_along h (rho t) e * ev (rho t) e ^ m)).
    apply is_derive_pow; auto.
  - apply (is_derive_comp sin (fun s => ev (rho s) e)); auto. apply is_derive_sin.
  - replace (- (slope_along h (rho t) e * sin (ev (rho t) e))) with (scal (slope_along h (rho t) e) (- sin (ev (rho t) e)))
      by (unfold scal; simpl; unfold mult; simpl; ring).
    apply (is_derive_comp cos (fun s => ev (rho s) e)); auto. apply is_derive_cos.
  - destruct O.
    replace (slope_along h (rho t) e * (/ 2 * / sqrt (ev (rho t) e))) with (scal (slope_along h (rho t) e) (/ (2 * sqrt (ev (rho t) e)))).
    + apply (is_derive_comp sqrt (fun s => ev (rho s) e)); auto. apply is_derive_Reals. apply derivable_pt_lim_sqrt; auto.
    + unfold scal; simpl; unfold mult; simpl. rewrite Rinv_mult; ring.
  - apply (is_derive_comp exp (fun s => ev (rho s) e)); auto. apply is_derive_exp.
  - destruct O. apply (is_derive_comp ln (fun s => ev (rho s) e)); auto. apply is_derive_Reals. apply derivable_pt_lim_ln; auto.
Qed.

(* ---- Quadratic forms. *)
Section Forms.
Context {A : Type}.
Variable l : list A.
Definition square_of (h : A -> R) : R := sum_over l (fun n => h n * h n).
Definition quadratic_of (a : A -> A -> R) (h : A -> R) : R := sum_over l (fun i => h i * sum_over l (fun j => h j * a i j)).
Lemma sum_le (k : list A) f1 f2 : (forall a, In a k -> f1 a <= f2 a) -> sum_over k f1 <= sum_over k f2.
Proof.
  induction k as [|a k IH]; simpl; intros H; [lra|]. specialize (IH (fun b I => H b (or_intror I))). specialize (H a (or_introl eq_refl)). lra.
Qed.
Lemma sum_derive (k : list A) (g : A -> R -> R) (m h : A -> R) u : (forall i, In i k -> is_derive (g i) u (m i)) ->
  is_derive (fun v => sum_over k (fun i => h i * g i v)) u (sum_over k (fun i => h i * m i)).
Proof.
  induction k as [|i k IH]; simpl; intros H; [apply @is_derive_const|].
  apply @is_derive_plus; [apply is_derive_scal; apply H; now left | apply IH; intros j J; apply H; now right].
Qed.
Lemma square_pos h : 0 <= square_of h.
Proof.
  unfold square_of. induction l as [|n k IH]; simpl; [lra|]. pose proof (Rle_0_sqr (h n)) as S. unfold Rsqr in S. lra.
Qed.
Lemma square_in h n : In n l -> h n * h n <= square_of h.
Proof.
  unfold square_of. induction l as [|m k IH]; simpl; intros I; [tauto|].
  assert (P : 0 <= sum_over k (fun n => h n * h n)).
  { clear. induction k as [|n k IH]; simpl; [lra|]. pose proof (Rle_0_sqr (h n)) as S. unfold Rsqr in S. lra. }
  pose proof (Rle_0_sqr (h m)) as S. unfold Rsqr in S. destruct I as [->|I]; [lra|]. specialize (IH I). lra.
Qed.
(* Small entries make a small form. *)
Lemma form_small a eta h : (forall i j, In i l -> In j l -> Rabs (a i j) <= eta) -> 0 <= eta ->
  - (eta * INR (length l) * square_of h) <= quadratic_of a h.
Proof.
  intros H P. unfold quadratic_of.
  assert (One : forall i j, In i l -> In j l -> - (eta * (h i * h i)) / 2 - eta * (h j * h j) / 2 <= h i * (h j * a i j)).
  { intros i j I J. specialize (H i j I J). apply Rabs_le_between in H.
    assert (X : Rabs (h i * h j) <= (h i * h i + h j * h j) / 2).
    { apply Rabs_le. pose proof (Rle_0_sqr (h i - h j)). pose proof (Rle_0_sqr (h i + h j)). unfold Rsqr in *. lra. }
    replace (h i * (h j * a i j)) with ((h i * h j) * a i j) by ring.
    assert (B : Rabs (h i * h j * a i j) <= (h i * h i + h j * h j) / 2 * eta).
    { rewrite Rabs_mult. apply Rmult_le_compat; try apply Rabs_pos; auto. apply Rabs_le. lra. }
    apply Rabs_le_between in B. lra. }
  assert (C : forall k, sum_over k (fun _ : A => 1) = INR (length k)).
  { induction k as [|n k IH]; [reflexivity|]. change (1 + sum_over k (fun _ => 1) = INR (S (length k))). rewrite IH, S_INR. ring. }
  apply Rle_trans with (sum_over l (fun i => sum_over l (fun j => - (eta * (h i * h i)) / 2 - eta * (h j * h j) / 2))).
  - right. rewrite (sum_on l _ (fun i => - eta / 2 * INR (length l) * (h i * h i) + (- eta / 2 * square_of h) * 1)).
    + rewrite sum_add, !sum_scale, C. unfold square_of. field.
    + intros i _. rewrite (sum_on l _ (fun j => (- eta / 2 * (h i * h i)) * 1 + (- eta / 2) * (h j * h j))) by (intros; field).
      rewrite sum_add, !sum_scale, C. unfold square_of. ring.
  - apply sum_le. intros i I. rewrite <- sum_scale. apply sum_le. intros j J. now apply One.
Qed.

End Forms.

(* kappa on the diagonal, and d_k l_ki l_kj over k: a sum of squares. *)
Definition qsum (l : list Q) : Q := fold_right qadd q0 l.
Definition square_sum (kappa : Q) (d : list Q) (rows : list (list Q)) (i j : nat) : Q :=
  qadd (if Nat.eqb i j then kappa else q0)
       (qsum (map (fun y => qmul (fst y) (qmul (nth i (snd y) q0) (nth j (snd y) q0))) (combine d rows))).
Definition none_negative (d : list Q) : bool := forallb (fun q => Qle_bool 0 q) d.
Lemma qsum_ok : forall l, Q2R (qsum l) = sum_over l Q2R.
Proof. induction l as [|q l IH]; simpl; [apply Q2R_0|]. now rewrite qadd_ok, IH. Qed.
Lemma sum_map {A B} (g : A -> B) f : forall l, sum_over (map g l) f = sum_over l (fun a => f (g a)).
Proof. induction l as [|a l IH]; simpl; auto. now rewrite IH. Qed.
Lemma sum_by_place {A} (z : A) f : forall l, sum_over l f = sum_over (seq 0 (length l)) (fun i => f (nth i l z)).
Proof.
  induction l as [|a l IH]; auto. simpl. f_equal. rewrite <- seq_shift, sum_map. simpl. exact IH.
Qed.
Lemma square_sum_ok m kappa d rows h : none_negative d = true ->
  Q2R kappa * square_of (seq 0 m) h <= quadratic_of (seq 0 m) (fun i j => Q2R (square_sum kappa d rows i j)) h.
Proof.
  intros P. unfold none_negative in P. rewrite forallb_forall in P. unfold quadratic_of, square_of.
  set (L := fun y : Q * list Q => sum_over (seq 0 m) (fun i => h i * Q2R (nth i (snd y) q0))).
  assert (E0 : forall i j, Q2R (square_sum kappa d rows i j) =
    (if Nat.eqb i j then Q2R kappa else 0) + sum_over (combine d rows) (fun y => Q2R (fst y) * (Q2R (nth i (snd y) q0) * Q2R (nth j (snd y) q0)))).
  { intros i j. unfold square_sum. rewrite qadd_ok, qsum_ok, sum_map. f_equal; [destruct (Nat.eqb i j); auto; apply Q2R_0|].
    apply sum_ext. intros y _. now rewrite !qmul_ok. }
  assert (Diag : forall (g : nat -> R) i, In i (seq 0 m) -> sum_over (seq 0 m) (fun j => g j * (if Nat.eqb i j then Q2R kappa else 0)) = g i * Q2R kappa).
  { intros g i I. rewrite (sum_one i (fun j => g j * (if Nat.eqb i j then Q2R kappa else 0)) (seq 0 m) (seq_NoDup m 0) I).
    - now rewrite Nat.eqb_refl.
    - intros j _ N. destruct (Nat.eqb i j) eqn:Q; [apply Nat.eqb_eq in Q; congruence | ring]. }
  assert (Form : sum_over (seq 0 m) (fun i => h i * sum_over (seq 0 m) (fun j => h j * Q2R (square_sum kappa d rows i j))) =
    Q2R kappa * sum_over (seq 0 m) (fun i => h i * h i) + sum_over (combine d rows) (fun y => Q2R (fst y) * (L y * L y))).
  { transitivity (sum_over (seq 0 m) (fun i => Q2R kappa * (h i * h i) +
      sum_over (combine d rows) (fun y => h i * Q2R (nth i (snd y) q0) * (Q2R (fst y) * L y)))).
    - apply sum_ext. intros i I.
      rewrite (sum_on (seq 0 m) _ (fun j => h j * (if Nat.eqb i j then Q2R kappa else 0) +
        sum_over (combine d rows) (fun y => h j * Q2R (nth j (snd y) q0) * (Q2R (fst y) * Q2R (nth i (snd y) q0))))).
      + rewrite sum_add, (Diag h i I), sum_swap, Rmult_plus_distr_l. f_equal; [ring|].
        rewrite <- sum_scale. apply sum_ext. intros y _.
        rewrite (sum_on (seq 0 m) _ (fun j => Q2R (fst y) * Q2R (nth i (snd y) q0) * (h j * Q2R (nth j (snd y) q0)))) by (intros; ring).
        rewrite sum_scale. fold (L y). ring.
      + intros j J. rewrite (E0 i j), Rmult_plus_distr_l. f_equal. rewrite <- sum_scale. apply sum_ext. intros y _. ring.
    - rewrite sum_add, sum_scale. f_equal. rewrite sum_swap. apply sum_ext. intros y _.
      rewrite (sum_on (seq 0 m) _ (fun i => Q2R (fst y) * L y * (h i * Q2R (nth i (snd y) q0)))) by (intros; ring).
      rewrite sum_scale. fold (L y). ring. }
  rewrite Form. enough (0 <= sum_over (combine d rows) (fun y => Q2R (fst y) * (L y * L y))) by lra.
  assert (Z : sum_over (combine d rows) (fun _ => 0 * 0) = 0) by (rewrite sum_scale; ring).
  rewrite <- Z. apply sum_le. intros [q row] I. rewrite Rmult_0_l. apply Rmult_le_pos; [|apply Rle_0_sqr].
  apply in_combine_l in I. specialize (P q I). apply Qle_bool_iff in P. apply Qle_Rle in P. simpl. rewrite RMicromega.Q2R_0 in P. exact P.
Qed.

(* ---- A function of the variables l with a positive definite second derivative where its first vanishes grows like the square of the
   distance. *)
Section Minimum.
Variable l : list positive.
Variables (p : positive -> bool) (r0 : env) (f : E) (kappa : R).
Definition second (i j : positive) : E := partial j (partial i f).
Hypothesis U : distinct l = true.
Hypothesis A : all p f = true.
Hypothesis A1 : forall i, In i l -> all p (partial i f) = true.
Hypothesis A2 : forall i j, In i l -> In j l -> all p (second i j) = true.
Hypothesis O : ok r0 f.
Hypothesis O1 : forall i, In i l -> ok r0 (partial i f).
Hypothesis O2 : forall i j, In i l -> In j l -> ok r0 (second i j).
Hypothesis flat : forall i, In i l -> ev r0 (partial i f) = 0.
Hypothesis K0 : 0 < kappa.
Hypothesis definite : forall h, kappa * square_of l h <= quadratic_of l (fun i j => ev r0 (second i j)) h.

Lemma around_list {B} (k : list B) (Q : B -> env -> Prop) : (forall b, In b k -> around p r0 (Q b)) -> around p r0 (fun r => forall b, In b k -> Q b r).
Proof.
  induction k as [|b k IH]; intros H.
  - exists 1. split; [lra|]. intros r _ b [].
  - pose proof (filter_and _ _ (H b (or_introl eq_refl)) (IH (fun c I => H c (or_intror I)))) as G. revert G. apply filter_imp.
    intros r [X Y] c [<-|I]; auto.
Qed.
Definition good (r : env) : Prop :=
  ok r f /\ (forall i, In i l -> ok r (partial i f)) /\
  (forall i, In i l -> forall j, In j l -> Rabs (ev r (second i j) - ev r0 (second i j)) < kappa / (2 * (INR (length l) + 1))).
Lemma good_around : around p r0 good.
Proof.
  unfold good. apply filter_and; [now apply ok_near|]. apply filter_and.
  - apply around_list. intros i I. apply ok_near; auto.
  - apply around_list. intros i I. apply around_list. intros j J. apply ev_near; auto.
    apply Rdiv_lt_0_compat; auto. pose proof (pos_INR (length l)). lra.
Qed.
Lemma good_definite r h : good r -> kappa / 2 * square_of l h <= quadratic_of l (fun i j => ev r (second i j)) h.
Proof.
  intros [_ [_ G]]. specialize (definite h). set (eta := kappa / (2 * (INR (length l) + 1))) in *.
  assert (Pn := pos_INR (length l)). assert (Pe : 0 <= eta) by (apply Rlt_le, Rdiv_lt_0_compat; lra).
  pose proof (form_small l (fun i j => ev r (second i j) - ev r0 (second i j)) eta h) as S.
  specialize (S (fun i j I J => Rlt_le _ _ (G i I j J)) Pe).
  assert (Q : quadratic_of l (fun i j => ev r (second i j)) h = quadratic_of l (fun i j => ev r0 (second i j)) h +
    quadratic_of l (fun i j => ev r (second i j) - ev r0 (second i j)) h).
  { unfold quadratic_of. rewrite <- sum_add. apply sum_ext. intros i _. rewrite <- Rmult_plus_distr_l, <- sum_add. f_equal.
    apply sum_ext. intros j _. ring. }
  rewrite Q. assert (E0 : eta * INR (length l) * square_of l h <= kappa / 2 * square_of l h).
  { apply Rmult_le_compat_r; [apply square_pos|]. unfold eta. apply Rmult_le_reg_r with (2 * (INR (length l) + 1)); [lra|].
    field_simplify; lra. }
  lra.
Qed.
(* Taylor's formula along the ray from r0 to r. *)
Theorem grows : exists d, 0 < d /\ forall r, near_to p r0 d r -> (forall n, p n = true -> In n l \/ r n = r0 n) ->
  kappa / 4 * square_of l (fun n => r n - r0 n) <= ev r f - ev r0 f.
Proof.
  destruct good_around as [d [P G]]. exists d. split; auto. intros r N S.
  set (h := fun n => r n - r0 n). set (ray := fun u n => r0 n + u * h n).
  assert (Near : forall u, 0 <= u <= 1 -> good (ray u)).
  { intros u B. apply G. intros n Pn. specialize (N n Pn). unfold ray. replace (r0 n + u * h n - r0 n) with (u * h n) by ring.
    rewrite Rabs_mult, (Rabs_pos_eq u) by lra. fold (h n) in N. pose proof (Rabs_pos (h n)) as Q.
    apply Rle_lt_trans with (1 * Rabs (h n)); [apply Rmult_le_compat_r; lra | lra]. }
  assert (Move : forall u n, is_derive (fun v => ray v n) u (h n)).
  { intros u n. unfold ray. auto_derive; auto. ring. }
  assert (Dir : forall n, p n = true -> In n l \/ h n = 0).
  { intros n Pn. destruct (S n Pn) as [I|E0]; auto. right. unfold h. lra. }
  assert (F1 : forall u, 0 <= u <= 1 -> is_derive (fun v => ev (ray v) f) u (sum_over l (fun i => h i * ev (ray u) (partial i f)))).
  { intros u B. rewrite <- (slope_sum h (ray u) p l f U Dir A). apply slope_ok with (p := p); auto. apply (Near u B). }
  assert (F2 : forall u, 0 <= u <= 1 ->
    is_derive (fun v => sum_over l (fun i => h i * ev (ray v) (partial i f))) u (quadratic_of l (fun i j => ev (ray u) (second i j)) h)).
  { intros u B. destruct (Near u B) as [_ [Ok1 _]]. unfold quadratic_of.
    assert (Each : forall i, In i l -> is_derive (fun v => ev (ray v) (partial i f)) u (sum_over l (fun j => h j * ev (ray u) (second i j)))).
    { intros i I. unfold second. rewrite <- (slope_sum h (ray u) p l (partial i f) U Dir (A1 i I)). apply slope_ok with (p := p); auto. }
    apply (sum_derive l (fun i v => ev (ray v) (partial i f)) (fun i => sum_over l (fun j => h j * ev (ray u) (second i j))) h u Each). }
  assert (Start : sum_over l (fun i => h i * ev (ray 0) (partial i f)) = 0).
  { assert (Z : forall i, In i l -> h i * ev (ray 0) (partial i f) = 0 * 0).
    { intros i I. rewrite (ev_ext (ray 0) r0 (fun _ => true)).
      - rewrite (flat i I). ring.
      - intros n _. unfold ray. ring.
      - clear. generalize (partial i f). induction e; simpl; auto; now rewrite IHe1, IHe2. }
    rewrite (sum_on l _ _ Z). rewrite sum_scale. ring. }
  set (c := kappa / 2 * square_of l h).
  assert (First : forall u, 0 <= u <= 1 -> c * u <= sum_over l (fun i => h i * ev (ray u) (partial i f))).
  { intros u [B0 B1]. destruct (MVT_gen (fun v => sum_over l (fun i => h i * ev (ray v) (partial i f))) 0 u
      (fun v => quadratic_of l (fun i j => ev (ray v) (second i j)) h)) as [w [W E0]].
    - rewrite Rmin_left, Rmax_right by lra. intros v B. apply F2. lra.
    - rewrite Rmin_left, Rmax_right by lra. intros v B. apply derivable_continuous_pt. eexists. apply is_derive_Reals. apply F2. lra.
    - rewrite Rmin_left, Rmax_right in W by lra. cbv beta in E0. rewrite Start, !Rminus_0_r in E0. rewrite E0. apply Rmult_le_compat_r; auto.
      apply good_definite, Near. lra. }
  destruct (MVT_gen (fun v => ev (ray v) f - c * v ^ 2 / 2) 0 1
    (fun v => sum_over l (fun i => h i * ev (ray v) (partial i f)) - c * v)) as [w [W E0]].
  - rewrite Rmin_left, Rmax_right by lra. intros v B. apply @is_derive_minus; [apply F1; lra|]. auto_derive; auto. field.
  - rewrite Rmin_left, Rmax_right by lra. intros v B. apply derivable_continuous_pt. eexists. apply is_derive_Reals.
    apply @is_derive_minus; [apply F1; lra|]. auto_derive; auto.
  - rewrite Rmin_left, Rmax_right in W by lra. cbv beta in E0. specialize (First w W).
    assert (R1 : ev (ray 1) f = ev r f).
    { apply (ev_ext _ _ p); auto. intros n _. unfold ray, h. ring. }
    assert (R2 : ev (ray 0) f = ev r0 f).
    { apply (ev_ext _ _ p); auto. intros n _. unfold ray, h. ring. }
    rewrite R1, R2 in E0. fold h. unfold c in *. lra.
Qed.
End Minimum.

Lemma ev_sub r l : forall e, ev r (sub l e) = ev (fun n => match look n l with Some a => ev r a | None => r n end) e.
Proof. induction e; simpl; try congruence. destruct (look n l); reflexivity. Qed.
Fixpoint ok_at (x : point) (e : E) : bool :=
  match e with
  | K _ _ | V _ => true
  | Add a b | Mul a b => ok_at x a && ok_at x b
  | Opp a | Pow a _ | Sin a | Cos a | Exp a => ok_at x a
  | Inv a => ok_at x a && match qv x a with Some q => negb (Qeq_bool q q0) | None => false end
  | Sqrt a | Log a => ok_at x a && match qv x a with Some q => above_zero q | None => false end
  end.
Lemma ok_at_ok x r : here x r -> forall e, ok_at x e = true -> ok r e.
Proof.
  intros H. induction e; simpl; intros A; auto; try (apply andb_prop in A as [A B]; split; auto).
  - destruct (qv x e) as [q|] eqn:Q; [|discriminate B]. rewrite (qv_ok x r H _ _ Q). intros Z. apply negb_true_iff in B.
    apply Qeq_bool_neq in B. apply B. apply eqR_Qeq. rewrite Z. symmetry. apply Q2R_0.
  - destruct (qv x e) as [q|] eqn:Q; [|discriminate B]. rewrite (qv_ok x r H _ _ Q). now apply above_zero_ok.
  - destruct (qv x e) as [q|] eqn:Q; [|discriminate B]. rewrite (qv_ok x r H _ _ Q). now apply above_zero_ok.
Qed.

(* ---- Stability in the sense of Lyapunov, for the coordinates w = e(q, v), parameters having values. *)
Section Stable.
Variables (s : System) (coordinates : list (positive * E)) (values : list (positive * Q)).
Definition stable_at (nz pz : list E) (r0 : env) : Prop :=
  forall eps, 0 < eps -> exists delta, 0 < delta /\
  forall rho, motion s rho -> (forall t, defined nz pz (rho t)) -> (forall t n q, In (n, q) values -> rho t n = Q2R q) ->
    (forall n e, In (n, e) coordinates -> Rabs (ev (rho 0) e - r0 n) < delta) ->
    forall t n e, In (n, e) coordinates -> Rabs (ev (rho t) e - r0 n) < eps.
Definition stable (nz pz : list E) (x : point) : Prop := exists r0, here x r0 /\ stable_at nz pz r0.

Definition names : list positive := map fst coordinates.
Definition used (n : positive) : bool := existsb (Pos.eqb n) (names ++ map fst values).
Definition entry (x : point) (e : E) (q : Q) : bool := match qv x e with Some a => Qeq_bool a q | None => false end.
Definition minimum_b (x : point) (f : E) (kappa : Q) (d : list Q) (rows : list (list Q)) : bool :=
  all used f && ok_at x f && above_zero kappa && none_negative d &&
  forallb (fun i => let n := nth i names 1%positive in let e := partial n f in
    all used e && ok_at x e && entry x e q0 &&
    forallb (fun j => let e := second f n (nth j names 1%positive) in
      all used e && ok_at x e && entry x e (square_sum kappa d rows i j)) (seq 0 (length names))) (seq 0 (length names)).

Lemma used_cases n : used n = true -> In n names \/ In n (map fst values).
Proof.
  unfold used. intros H. apply existsb_exists in H as [m [I Q]]. apply Pos.eqb_eq in Q. subst. now apply in_app_iff.
Qed.
Lemma look_name n : In n names -> exists e, look n coordinates = Some e /\ In (n, e) coordinates.
Proof.
  unfold names. induction coordinates as [|[m e] l IH]; simpl; [tauto|]. intros [->|I].
  - rewrite Pos.eqb_refl. exists e. auto.
  - destruct (Pos.eqb m n) eqn:Q.
    + apply Pos.eqb_eq in Q. subst. exists e. auto.
    + destruct (IH I) as [a [A B]]. exists a. auto.
Qed.
Lemma look_unique : distinct names = true -> forall n e, In (n, e) coordinates -> look n coordinates = Some e.
Proof.
  unfold names. induction coordinates as [|[m a] l IH]; simpl; [tauto|]. intros U n e I. apply andb_prop in U as [F U].
  destruct (Pos.eqb m n) eqn:Q.
  - apply Pos.eqb_eq in Q. subst. destruct I as [I|I]; [now injection I as <-|]. exfalso. apply negb_true_iff in F.
    assert (X : existsb (Pos.eqb n) (map fst l) = true).
    { apply existsb_exists. exists n. split; [apply in_map_iff; now exists (n, e) | apply Pos.eqb_refl]. }
    congruence.
  - destruct I as [I|I]; [injection I as -> ->; rewrite Pos.eqb_refl in Q; discriminate | auto].
Qed.
Lemma square_bound (h : positive -> R) d0 : forall l, (forall n, In n l -> Rabs (h n) < d0) -> square_of l h <= INR (length l) * (d0 * d0).
Proof.
  unfold square_of. induction l as [|n l IH]; intros F; [simpl; lra|].
  change (h n * h n + sum_over l (fun n => h n * h n) <= INR (S (length l)) * (d0 * d0)). rewrite S_INR.
  specialize (IH (fun m I => F m (or_intror I))). specialize (F n (or_introl eq_refl)). apply Rabs_def2 in F. nra.
Qed.
(* The form of the second derivatives, from the sum of squares. *)
Lemma definite_ok x r f kappa d rows : here x r -> minimum_b x f kappa d rows = true ->
  forall h, Q2R kappa * square_of names h <= quadratic_of names (fun i j => ev r (second f i j)) h.
Proof.
  intros H B h. unfold minimum_b in B. apply andb_prop in B as [B T]. apply andb_prop in B as [B P]. rewrite forallb_forall in T.
  set (m := length names). set (c := fun i => nth i names 1%positive).
  assert (S : square_of names h = square_of (seq 0 m) (fun i => h (c i))) by (apply (sum_by_place 1%positive)).
  assert (F : quadratic_of names (fun i j => ev r (second f i j)) h =
    quadratic_of (seq 0 m) (fun i j => Q2R (square_sum kappa d rows i j)) (fun i => h (c i))).
  { unfold quadratic_of. rewrite (sum_by_place 1%positive (fun i => h i * sum_over names (fun j => h j * ev r (second f i j))) names).
    apply sum_ext. intros i I. f_equal. rewrite (sum_by_place 1%positive (fun j => h j * ev r (second f (nth i names 1%positive) j)) names).
    apply sum_ext. intros j J. f_equal. specialize (T i I). cbv zeta in T. apply andb_prop in T as [_ T]. rewrite forallb_forall in T.
    specialize (T j J). apply andb_prop in T as [_ T]. unfold entry in T. destruct (qv x _) as [a|] eqn:Q in T; [|discriminate T].
    rewrite (qv_ok x r H _ _ Q). apply Qeq_bool_eq in T. now apply Qeq_eqR. }
  rewrite S, F. now apply square_sum_ok.
Qed.

Theorem stable_ok g x y c f kappa d rows :
  well s g x && (all (state s) (sub coordinates f) && okb (nz_of g) (pz_of g) (sub coordinates f)) &&
  combination s g x c (D (dt s) (sub coordinates f)) &&
  forallb (fun u => all (state s) (snd u) && okb (nz_of g) (pz_of g) (snd u)) coordinates &&
  (point_ok g y [] && distinct (names ++ map fst values) &&
   forallb (fun u => match lookup (fst u) (plain y) with Some q => Qeq_bool q (snd u) | None => false end) values) &&
  minimum_b y f kappa d rows = true ->
  stable (nz_of g) (pz_of g) y.
Proof.
  intros H. apply andb_prop in H as [H B]. apply andb_prop in H as [H P]. apply andb_prop in H as [H C]. rewrite forallb_forall in C.
  assert (Con := conserved_ok s g x c (sub coordinates f) H).
  apply andb_prop in H as [H _]. apply andb_prop in H as [W _].
  apply andb_prop in P as [P Vals]. apply andb_prop in P as [P U]. rewrite forallb_forall in Vals.
  destruct (point_there g y [] P) as [r0 [T _]]. exists r0. split; auto.
  assert (Un : distinct names = true).
  { clear - U. induction names as [|n l IH]; simpl in *; auto. apply andb_prop in U as [F U]. rewrite (IH U), andb_true_r.
    apply negb_true_iff in F. rewrite existsb_app in F. apply orb_false_iff in F as [F _]. now rewrite F. }
  assert (Apart : forall n, In n (map fst values) -> look n coordinates = None).
  { intros n I. destruct (look n coordinates) as [e|] eqn:Q; auto. exfalso. apply look_in in Q.
    assert (J : In n names) by (apply in_map_iff; now exists (n, e)). clear - U I J. induction names as [|m l IH]; simpl in *; [tauto|].
    apply andb_prop in U as [F U]. destruct J as [->|J]; auto. apply negb_true_iff in F.
    assert (X : existsb (Pos.eqb n) (l ++ map fst values) = true).
    { apply existsb_exists. exists n. split; [apply in_app_iff; now right | apply Pos.eqb_refl]. }
    congruence. }
  pose proof B as B'. unfold minimum_b in B'. apply andb_prop in B' as [B' M]. apply andb_prop in B' as [B' _]. apply andb_prop in B' as [B' K0].
  apply andb_prop in B' as [A O]. rewrite forallb_forall in M. apply above_zero_ok in K0.
  assert (Row : forall n, In n names -> all used (partial n f) = true /\ ok r0 (partial n f) /\ ev r0 (partial n f) = 0 /\
    forall k, In k names -> all used (second f n k) = true /\ ok r0 (second f n k)).
  { intros n I. destruct (In_nth names n 1%positive I) as [i [I1 I2]].
    specialize (M i (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) I1))). cbv zeta in M. rewrite I2 in M.
    apply andb_prop in M as [M S]. apply andb_prop in M as [M Z]. apply andb_prop in M as [M1 M2]. rewrite forallb_forall in S.
    split; auto. split; [now apply (ok_at_ok y)|]. split.
    - unfold entry in Z. destruct (qv y (partial n f)) as [q|] eqn:Q; [|discriminate Z]. rewrite (qv_ok y r0 T _ _ Q). now apply qzero.
    - intros k J. destruct (In_nth names k 1%positive J) as [j [J1 J2]].
      specialize (S j (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) J1))). cbv zeta in S. rewrite J2 in S.
      apply andb_prop in S as [S _]. apply andb_prop in S as [S1 S2]. split; auto. now apply (ok_at_ok y). }
  destruct (grows names used r0 f (Q2R kappa) Un A (fun i I => proj1 (Row i I)) (fun i j I J => proj1 (proj2 (proj2 (proj2 (Row i I))) j J))
    (ok_at_ok y r0 T f O) (fun i I => proj1 (proj2 (Row i I))) (fun i j I J => proj2 (proj2 (proj2 (proj2 (Row i I))) j J))
    (fun i I => proj1 (proj2 (proj2 (Row i I)))) K0 (definite_ok y r0 f kappa d rows T B)) as [d0 [D0 Grow]].
  intros eps Eps. set (e1 := Rmin eps d0 / 2).
  assert (E1 : 0 < e1 /\ e1 < eps /\ e1 < d0).
  { unfold e1. pose proof (Rmin_pos eps d0 Eps D0). pose proof (Rmin_l eps d0). pose proof (Rmin_r eps d0). lra. }
  destruct E1 as [E1 [E2 E3]].
  destruct (ev_near used r0 f (Q2R kappa / 4 * (e1 * e1)) A (ok_at_ok y r0 T f O)) as [d1 [D1 Close]].
  { apply Rmult_lt_0_compat; [lra | now apply Rmult_lt_0_compat]. }
  set (len := INR (length names)). assert (Len : 0 <= len) by apply pos_INR.
  set (delta := Rmin d1 (e1 / (len + 1))).
  assert (De : 0 < delta) by (apply Rmin_pos; auto; apply Rdiv_lt_0_compat; lra).
  exists delta. split; auto. intros rho Mo Def Pv Start.
  set (at_time := fun t n => match look n coordinates with Some e => ev (rho t) e | None => rho t n end).
  set (h := fun t n => at_time t n - r0 n).
  assert (Val : forall t n, In n (map fst values) -> at_time t n = r0 n).
  { intros t n I. unfold at_time. rewrite (Apart n I). apply in_map_iff in I as [[m q] [<- I]]. simpl. rewrite (Pv t m q I).
    specialize (Vals _ I). simpl in Vals. destruct (lookup m (plain y)) as [a|] eqn:Q; [|discriminate Vals].
    apply lookup_in in Q. rewrite (proj1 T _ _ Q). symmetry. apply Qeq_eqR. now apply Qeq_bool_eq. }
  assert (Cons : forall t, ev (at_time t) f = ev (at_time 0) f).
  { intros t. unfold at_time. rewrite <- !ev_sub. now apply Con. }
  assert (Nearby : forall t e0, 0 < e0 -> (forall n, In n names -> Rabs (h t n) < e0) -> near_to used r0 e0 (at_time t)).
  { intros t e0 P0 S n I. apply used_cases in I as [I|I]; [now apply S|]. rewrite (Val t n I). replace (r0 n - r0 n) with 0 by ring. now rewrite Rabs_R0. }
  assert (First : forall n, In n names -> Rabs (h 0 n) < delta).
  { intros n I. destruct (look_name n I) as [e [Q J]]. unfold h, at_time. rewrite Q. now apply Start. }
  assert (Small : square_of names (h 0) < e1 * e1).
  { apply Rle_lt_trans with (len * (delta * delta)).
    - now apply square_bound.
    - assert (X : delta <= e1 / (len + 1)) by apply Rmin_r. assert (Y : delta * (len + 1) <= e1).
      { apply Rmult_le_compat_r with (r := len + 1) in X; [|lra]. replace (e1 / (len + 1) * (len + 1)) with e1 in X by (field; lra). exact X. }
      assert (X2 : (delta * (len + 1)) * (delta * (len + 1)) <= e1 * e1) by (apply Rmult_le_compat; nra). nra. }
  assert (Cont : Ranalysis1.continuity (fun t => square_of names (h t))).
  { intros t. apply continuity_pt_filterlim, (ex_derive_continuous (fun t => square_of names (h t))). unfold square_of.
    assert (G : forall l, (forall n, In n l -> In n names) -> exists v, is_derive (fun t => sum_over l (fun n => h t n * h t n)) t v).
    { induction l as [|n l IH]; intros I; simpl; [exists 0; apply @is_derive_const|].
      destruct (IH (fun m J => I m (or_intror J))) as [v Hv]. destruct (look_name n (I n (or_introl eq_refl))) as [e [Q J]].
      specialize (C _ J). simpl in C. apply andb_prop in C as [C1 C2].
      assert (De1 : is_derive (fun u => h u n) t (ev (rho t) (D (dt s) e) - 0)).
      { unfold h, at_time. rewrite Q. apply @is_derive_minus; [|apply @is_derive_const]. now apply (rate_of s g rho Mo Def). }
      eexists. apply @is_derive_plus; [|exact Hv]. apply @is_derive_mult; [exact De1 | exact De1 | intros; apply Rmult_comm]. }
    exact (G names (fun n I => I)). }
  assert (Always : forall t, square_of names (h t) < e1 * e1).
  { intros t. destruct (Rlt_le_dec (square_of names (h t)) (e1 * e1)) as [L|G]; auto. exfalso.
    destruct (IVT_gen (fun t => square_of names (h t)) 0 t (e1 * e1) Cont) as [u [_ Eu]].
    { rewrite Rmin_left, Rmax_right by lra. lra. }
    assert (Inside : forall n, In n names -> Rabs (h u n) < d0).
    { intros n I. pose proof (square_in names (h u) n I) as S. rewrite Eu in S. apply Rsqr_incr_0_var in S; [|lra].
      apply Rle_lt_trans with e1; auto. apply Rabs_le. split; [|exact S].
      pose proof (square_in names (fun m => - h u m) n I) as S'. unfold square_of in S', Eu.
      rewrite (sum_on names _ (fun n => h u n * h u n)) in S' by (intros; ring). rewrite Eu in S'. apply Rsqr_incr_0_var in S'; lra. }
    specialize (Grow (at_time u) (Nearby u d0 D0 Inside)).
    assert (Dir : forall n, used n = true -> In n names \/ at_time u n = r0 n).
    { intros n I. apply used_cases in I as [I|I]; auto. }
    specialize (Grow Dir). change (square_of names (fun n => at_time u n - r0 n)) with (square_of names (h u)) in Grow. rewrite Eu, Cons in Grow.
    assert (N0 : near_to used r0 d1 (at_time 0)).
    { apply Nearby; auto. intros n I. apply Rlt_le_trans with delta; [auto | apply Rmin_l]. }
    specialize (Close _ N0). apply Rabs_def2 in Close. lra. }
  intros t n e I. specialize (Always t). assert (J : In n names) by (apply in_map_iff; now exists (n, e)).
  pose proof (square_in names (h t) n J) as S.
  assert (X : h t n = ev (rho t) e - r0 n) by (unfold h, at_time; now rewrite (look_unique Un n e I)). rewrite X in S.
  apply Rabs_def1.
  - destruct (Rlt_le_dec (ev (rho t) e - r0 n) eps) as [L|G]; auto. nra.
  - destruct (Rlt_le_dec (- eps) (ev (rho t) e - r0 n)) as [L|G]; auto. nra.
Qed.
End Stable.

(* ---- Small motions: y' = A y, A rational. *)
Section Small.
Variable m : nat.
Lemma zero_q : Q2R q0 = 0. Proof. exact Q2R_0. Qed.
Definition solution (A : nat -> nat -> R) (y : R -> nat -> R) : Prop :=
  forall t i, (i < m)%nat -> is_derive (fun u => y u i) t (sum_over (seq 0 m) (fun k => A i k * y t k)).
Definition bounded (A : nat -> nat -> R) : Prop :=
  exists c, forall y, solution A y -> forall t, 0 <= t -> square_of (seq 0 m) (y t) <= c * square_of (seq 0 m) (y 0).
Definition unbounded (A : nat -> nat -> R) : Prop :=
  exists y0 : nat -> R, forall y, solution A y -> (forall i, (i < m)%nat -> y 0 i = y0 i) -> forall b, exists t, 0 <= t /\ b < square_of (seq 0 m) (y t).
Definition at_place (M : list (list Q)) (i j : nat) : Q := nth j (nth i M []) q0.
Definition real_matrix (M : list (list Q)) (i j : nat) : R := Q2R (at_place M i j).
(* A^T P + P A - 2 a P. *)
Definition lyapunov (A P : list (list Q)) (a : Q) (i j : nat) : Q :=
  qsub (qsum (map (fun k => qadd (qmul (at_place A k i) (at_place P k j)) (qmul (at_place P i k) (at_place A k j))) (seq 0 m)))
       (qmul (qadd a a) (at_place P i j)).
Lemma form_rate A P y t : solution A y ->
  is_derive (fun u => quadratic_of (seq 0 m) P (y u)) t
    (quadratic_of (seq 0 m) (fun i j => sum_over (seq 0 m) (fun k => A k i * P k j + P i k * A k j)) (y t)).
Proof.
  intros S. unfold quadratic_of. set (l := seq 0 m). set (v := fun i => sum_over l (fun k => A i k * y t k)).
  assert (I0 : forall i, In i l -> is_derive (fun u => y u i) t (v i)) by (intros i I; apply S; apply in_seq in I; lia).
  assert (V0 : is_derive (fun u => sum_over l (fun i => y u i * sum_over l (fun j => y u j * P i j))) t
    (sum_over l (fun i => v i * sum_over l (fun j => y t j * P i j) + y t i * sum_over l (fun j => v j * P i j)))).
  { assert (G : forall k, (forall i, In i k -> In i l) -> is_derive (fun u => sum_over k (fun i => y u i * sum_over l (fun j => y u j * P i j))) t
      (sum_over k (fun i => v i * sum_over l (fun j => y t j * P i j) + y t i * sum_over l (fun j => v j * P i j)))).
    { induction k as [|i k IH]; simpl; intros J; [apply @is_derive_const|]. apply @is_derive_plus; [|apply IH; auto].
      apply @is_derive_mult; [apply I0, J; now left | | intros; apply Rmult_comm].
      assert (G2 : forall n, (forall j, In j n -> In j l) ->
        is_derive (fun u => sum_over n (fun j => y u j * P i j)) t (sum_over n (fun j => v j * P i j))).
      { induction n as [|j n IHn]; simpl; intros N; [apply @is_derive_const|]. apply @is_derive_plus; [|apply IHn; auto].
        apply is_derive_ext with (f := fun u => P i j * y u j); [intros; apply Rmult_comm|]. rewrite Rmult_comm.
        apply is_derive_scal. apply I0, N. now left. }
      apply G2. auto. }
    apply G. auto. }
  replace (sum_over l (fun i => y t i * sum_over l (fun j => y t j * sum_over l (fun k => A k i * P k j + P i k * A k j))))
    with (sum_over l (fun i => v i * sum_over l (fun j => y t j * P i j) + y t i * sum_over l (fun j => v j * P i j))); [exact V0|].
  rewrite sum_add.
  assert (Left : sum_over l (fun i => v i * sum_over l (fun j => y t j * P i j)) =
    sum_over l (fun i => y t i * sum_over l (fun j => y t j * sum_over l (fun k => A k i * P k j)))).
  { transitivity (sum_over l (fun k => sum_over l (fun i => y t i * (A k i * sum_over l (fun j => y t j * P k j))))).
    - apply sum_ext. intros k _. unfold v. rewrite Rmult_comm, <- sum_scale. apply sum_ext. intros i _. ring.
    - rewrite sum_swap. apply sum_ext. intros i _. rewrite sum_scale. f_equal.
      rewrite (sum_on l _ (fun k => sum_over l (fun j => y t j * (A k i * P k j)))).
      + rewrite sum_swap. apply sum_ext. intros j _. now rewrite sum_scale.
      + intros k _. rewrite <- sum_scale. apply sum_ext. intros j _. ring. }
  assert (Right : sum_over l (fun i => y t i * sum_over l (fun j => v j * P i j)) =
    sum_over l (fun i => y t i * sum_over l (fun j => y t j * sum_over l (fun k => P i k * A k j)))).
  { apply sum_ext. intros i _. f_equal. transitivity (sum_over l (fun k => sum_over l (fun j => y t j * (P i k * A k j)))).
    - apply sum_ext. intros k _. unfold v. rewrite Rmult_comm, <- sum_scale. apply sum_ext. intros j _. ring.
    - rewrite sum_swap. apply sum_ext. intros j _. now rewrite sum_scale. }
  rewrite Left, Right, <- sum_add. apply sum_ext. intros i _. rewrite <- Rmult_plus_distr_l, <- sum_add. f_equal.
  apply sum_ext. intros j _. rewrite <- Rmult_plus_distr_l, <- sum_add. reflexivity.
Qed.
Lemma lyapunov_ok A P a i j : Q2R (lyapunov A P a i j) =
  sum_over (seq 0 m) (fun k => real_matrix A k i * real_matrix P k j + real_matrix P i k * real_matrix A k j) - 2 * Q2R a * real_matrix P i j.
Proof.
  unfold lyapunov, real_matrix. rewrite qsub_ok, qmul_ok, qadd_ok, qsum_ok, sum_map. f_equal; [|ring].
  apply sum_ext. intros k _. now rewrite qadd_ok, !qmul_ok.
Qed.
Lemma form_le a h : exists c, 0 < c /\ quadratic_of (seq 0 m) a h <= c * square_of (seq 0 m) h /\ forall g, quadratic_of (seq 0 m) a g <= c * square_of (seq 0 m) g.
Proof.
  assert (B : exists eta, 0 <= eta /\ forall i j, In i (seq 0 m) -> In j (seq 0 m) -> Rabs (- a i j) <= eta).
  { exists (sum_over (seq 0 m) (fun i => sum_over (seq 0 m) (fun j => Rabs (- a i j)))).
    assert (N : forall A0 (l : list A0) f, (forall x, 0 <= f x) -> 0 <= sum_over l f /\ forall x, In x l -> f x <= sum_over l f).
    { intros A0 l f P. induction l as [|x l [I1 I2]]; simpl; [split; [lra | tauto]|]. split; [specialize (P x); lra|].
      intros y [<-|J]; [lra|]. specialize (I2 y J). specialize (P x). lra. }
    assert (N1 : forall i, 0 <= sum_over (seq 0 m) (fun j => Rabs (- a i j))) by (intros; apply N; intros; apply Rabs_pos).
    split; [now apply N|]. intros i j I J. apply Rle_trans with (sum_over (seq 0 m) (fun j => Rabs (- a i j))).
    - apply (proj2 (N nat (seq 0 m) (fun j => Rabs (- a i j)) (fun j => Rabs_pos _)) j J).
    - apply (proj2 (N nat (seq 0 m) (fun i => sum_over (seq 0 m) (fun j => Rabs (- a i j))) N1) i I). }
  destruct B as [eta [E0 B]]. exists (eta * INR (length (seq 0 m)) + 1).
  assert (Pl := Rmult_le_pos _ _ E0 (pos_INR (length (seq 0 m)))). split; [lra|].
  assert (G : forall g, quadratic_of (seq 0 m) a g <= (eta * INR (length (seq 0 m)) + 1) * square_of (seq 0 m) g).
  { intros g. pose proof (form_small (seq 0 m) (fun i j => - a i j) eta g B E0) as F. pose proof (square_pos (seq 0 m) g).
    replace (quadratic_of (seq 0 m) (fun i j => - a i j) g) with (- quadratic_of (seq 0 m) a g) in F; [lra|].
    unfold quadratic_of. replace (- sum_over (seq 0 m) (fun i => g i * sum_over (seq 0 m) (fun j => g j * a i j)))
      with (-1 * sum_over (seq 0 m) (fun i => g i * sum_over (seq 0 m) (fun j => g j * a i j))) by ring.
    rewrite <- sum_scale. apply sum_ext. intros i _.
    replace (-1 * (g i * sum_over (seq 0 m) (fun j => g j * a i j))) with (g i * (-1 * sum_over (seq 0 m) (fun j => g j * a i j))) by ring.
    f_equal. rewrite <- sum_scale. apply sum_ext. intros j _. ring. }
  split; auto.
Qed.
Definition all_places (f : nat -> nat -> bool) : bool := forallb (fun i => forallb (f i) (seq 0 m)) (seq 0 m).
Lemma form_of_places P Q0 h : all_places (fun i j => Qeq_bool (P i j) (Q0 i j)) = true ->
  quadratic_of (seq 0 m) (fun i j => Q2R (P i j)) h = quadratic_of (seq 0 m) (fun i j => Q2R (Q0 i j)) h.
Proof.
  intros H. unfold all_places in H. rewrite forallb_forall in H. unfold quadratic_of. apply sum_ext. intros i I. f_equal. apply sum_ext.
  intros j J. f_equal. specialize (H i I). rewrite forallb_forall in H. apply Qeq_eqR, Qeq_bool_eq. auto.
Qed.
(* P is positive definite and falls: P = kappa + squares, -(A^T P + P A) = squares. *)
Definition bounded_b (A P : list (list Q)) (kappa : Q) (d1 : list Q) (l1 : list (list Q)) (d2 : list Q) (l2 : list (list Q)) : bool :=
  above_zero kappa && none_negative d1 && none_negative d2 &&
  all_places (fun i j => Qeq_bool (at_place P i j) (square_sum kappa d1 l1 i j)) &&
  all_places (fun i j => Qeq_bool (Qopp (lyapunov A P q0 i j)) (square_sum q0 d2 l2 i j)).
Theorem bounded_ok A P kappa d1 l1 d2 l2 : bounded_b A P kappa d1 l1 d2 l2 = true -> bounded (real_matrix A).
Proof.
  unfold bounded_b. intros H. apply andb_prop in H as [H L]. apply andb_prop in H as [H F]. apply andb_prop in H as [H N2].
  apply andb_prop in H as [K0 N1]. apply above_zero_ok in K0.
  destruct (form_le (real_matrix P) (fun _ => 0)) as [c [C0 [_ Up]]].
  exists (c / Q2R kappa). intros y S t T0. set (w := fun u => quadratic_of (seq 0 m) (real_matrix P) (y u)).
  assert (Low : Q2R kappa * square_of (seq 0 m) (y t) <= w t).
  { unfold w, real_matrix. rewrite (form_of_places _ _ _ F). now apply square_sum_ok. }
  assert (Fall : w t <= w 0).
  { destruct (MVT_gen w 0 t (fun u => quadratic_of (seq 0 m) (fun i j => sum_over (seq 0 m)
      (fun k => real_matrix A k i * real_matrix P k j + real_matrix P i k * real_matrix A k j)) (y u))) as [u [_ E0]].
    - intros u _. now apply form_rate.
    - intros u _. apply continuity_pt_filterlim, (ex_derive_continuous w). eexists. exact (form_rate _ _ y u S).
    - enough (0 <= - quadratic_of (seq 0 m) (fun i j => sum_over (seq 0 m)
        (fun k => real_matrix A k i * real_matrix P k j + real_matrix P i k * real_matrix A k j)) (y u)) by nra.
      pose proof (square_sum_ok m q0 d2 l2 (y u) N2) as Sq. rewrite <- (form_of_places _ _ _ L) in Sq. rewrite zero_q, Rmult_0_l in Sq.
      apply Rle_trans with (1 := Sq). right. unfold quadratic_of.
      match goal with |- _ = - ?X => replace (- X) with (-1 * X) by ring end.
      rewrite <- sum_scale. apply sum_ext. intros i _.
      match goal with |- _ = -1 * (?X * ?Y) => replace (-1 * (X * Y)) with (X * (-1 * Y)) by ring end. f_equal. rewrite <- sum_scale.
      apply sum_ext. intros j _. rewrite Q2R_opp, lyapunov_ok, zero_q. ring. }
  specialize (Up (y 0)). fold (w 0) in Up. pose proof (square_pos (seq 0 m) (y 0)) as S0.
  apply Rmult_le_reg_l with (Q2R kappa); auto. replace (Q2R kappa * (c / Q2R kappa * square_of (seq 0 m) (y 0)))
    with (c * square_of (seq 0 m) (y 0)) by (field; lra). lra.
Qed.
(* P grows: A^T P + P A - 2 a P = squares with a > 0, and is positive at y0. *)
Definition unbounded_b (A P : list (list Q)) (a : Q) (d : list Q) (l : list (list Q)) (y0 : list Q) : bool :=
  above_zero a && none_negative d && all_places (fun i j => Qeq_bool (lyapunov A P a i j) (square_sum q0 d l i j)) &&
  above_zero (qsum (map (fun i => qmul (nth i y0 q0) (qsum (map (fun j => qmul (nth j y0 q0) (at_place P i j)) (seq 0 m)))) (seq 0 m))).
Theorem unbounded_ok A P a d l y0 : unbounded_b A P a d l y0 = true -> unbounded (real_matrix A).
Proof.
  unfold unbounded_b. intros H. apply andb_prop in H as [H Y]. apply andb_prop in H as [H L]. apply andb_prop in H as [A0 N].
  apply above_zero_ok in A0, Y. exists (fun i => Q2R (nth i y0 q0)). intros y S Start b.
  set (w := fun u => quadratic_of (seq 0 m) (real_matrix P) (y u)).
  assert (W0 : 0 < w 0).
  { unfold w, quadratic_of. rewrite qsum_ok, sum_map in Y. eapply Rlt_le_trans; [exact Y|]. right. apply sum_ext. intros i I.
    rewrite qmul_ok, qsum_ok, sum_map, Start by (apply in_seq in I; lia). f_equal. apply sum_ext. intros j J.
    rewrite qmul_ok, Start by (apply in_seq in J; lia). reflexivity. }
  destruct (form_le (real_matrix P) (fun _ => 0)) as [c [C0 [_ Up]]].
  set (w1 := fun u => quadratic_of (seq 0 m) (fun i j => sum_over (seq 0 m)
      (fun k => real_matrix A k i * real_matrix P k j + real_matrix P i k * real_matrix A k j)) (y u)).
  assert (Rise : forall u, 2 * Q2R a * w u <= w1 u).
  { intros u. pose proof (square_sum_ok m q0 d l (y u) N) as Sq. rewrite <- (form_of_places _ _ _ L) in Sq. rewrite zero_q, Rmult_0_l in Sq.
    enough (quadratic_of (seq 0 m) (fun i j => Q2R (lyapunov A P a i j)) (y u) = w1 u - 2 * Q2R a * w u) by lra.
    unfold w1, w, quadratic_of. unfold Rminus. rewrite Ropp_mult_distr_l, <- sum_scale, <- sum_add. apply sum_ext. intros i _.
    replace (- (2 * Q2R a) * (y u i * sum_over (seq 0 m) (fun j => y u j * real_matrix P i j)))
      with (y u i * (- (2 * Q2R a) * sum_over (seq 0 m) (fun j => y u j * real_matrix P i j))) by ring.
    rewrite <- Rmult_plus_distr_l. f_equal. rewrite <- sum_scale, <- sum_add. apply sum_ext. intros j _. rewrite lyapunov_ok. ring. }
  assert (Rate : forall u, is_derive (fun v => w v * exp (- (2 * Q2R a) * v)) u ((w1 u - 2 * Q2R a * w u) * exp (- (2 * Q2R a) * u))).
  { intros u. replace ((w1 u - 2 * Q2R a * w u) * exp (- (2 * Q2R a) * u))
      with (w1 u * exp (- (2 * Q2R a) * u) + w u * (- (2 * Q2R a) * exp (- (2 * Q2R a) * u))) by ring.
    assert (Ex : is_derive (fun v : R => exp (- (2 * Q2R a) * v)) u (- (2 * Q2R a) * exp (- (2 * Q2R a) * u))) by (auto_derive; auto; ring).
    exact (is_derive_mult (K := R_AbsRing) w (fun v => exp (- (2 * Q2R a) * v)) u _ _ (form_rate _ _ y u S) Ex (fun n k => Rmult_comm n k)). }
  assert (Grow : forall t, 0 <= t -> w 0 * (1 + 2 * Q2R a * t) <= w t).
  { intros t T0. destruct (MVT_gen (fun v => w v * exp (- (2 * Q2R a) * v)) 0 t
      (fun u => (w1 u - 2 * Q2R a * w u) * exp (- (2 * Q2R a) * u))) as [u [_ E0]].
    - intros u _. apply Rate.
    - intros u _. apply continuity_pt_filterlim, (ex_derive_continuous (fun v => w v * exp (- (2 * Q2R a) * v))). eexists. apply Rate.
    - cbv beta in E0. rewrite Rmult_0_r, exp_0, Rmult_1_r in E0.
      assert (X : w 0 <= w t * exp (- (2 * Q2R a) * t)).
      { enough (0 <= (w1 u - 2 * Q2R a * w u) * exp (- (2 * Q2R a) * u) * (t - 0)) by lra.
        apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [specialize (Rise u); lra | apply Rlt_le, exp_pos]. }
      assert (Z : w t = (w t * exp (- (2 * Q2R a) * t)) * exp (2 * Q2R a * t)).
      { rewrite Rmult_assoc, <- exp_plus. replace (- (2 * Q2R a) * t + 2 * Q2R a * t) with 0 by ring. rewrite exp_0. ring. }
      rewrite Z. apply Rmult_le_compat; try lra.
      + apply Rplus_le_le_0_compat; [lra|]. apply Rmult_le_pos; lra.
      + destruct (Req_dec (2 * Q2R a * t) 0) as [->|NZ]; [rewrite exp_0; lra | apply Rlt_le, exp_ineq1; exact NZ]. }
  set (t := Rmax 0 ((c * Rmax b 0 + 1) / (w 0 * (2 * Q2R a)))). exists t. assert (T0 : 0 <= t) by apply Rmax_l. split; auto.
  specialize (Grow t T0). specialize (Up (y t)). fold (w t) in Up.
  assert (X : c * Rmax b 0 + 1 <= w 0 * (2 * Q2R a) * t).
  { apply Rmult_le_reg_r with (/ (w 0 * (2 * Q2R a))); [apply Rinv_0_lt_compat; nra|].
    replace (w 0 * (2 * Q2R a) * t * / (w 0 * (2 * Q2R a))) with t by (field; lra). apply Rmax_r. }
  apply Rle_lt_trans with (Rmax b 0); [apply Rmax_l|]. apply Rmult_lt_reg_l with c; nra.
Qed.
End Small.

(* ---- Steady states of the motion as a field on (f, z), f the functions that the rates of the speeds depend on, and its small motions. *)
Section Steady.
Variables (s : System) (speeds : list positive) (psi F : list E) (felt : list positive).
Definition places : list positive := felt ++ speeds.
Definition rate_at (n : positive) : E := match look n (flow s speeds psi F) with Some a => a | None => K 0 1 end.
Definition place_of (i : nat) : positive := nth i places 1%positive.
(* Nothing else matters: the rates depend on these and on parameters. *)
Definition closed : Prop := forall n, In n places -> all (fun k => existsb (Pos.eqb k) (places ++ parameters s)) (rate_at n) = true.
Definition steady (nz pz : list E) (r0 : env) : Prop :=
  closed /\ (forall e, In e (relations s) -> ev r0 e = 0) /\ defined nz pz r0 /\ forall n, In n places -> ev r0 (rate_at n) = 0.
Definition linearised (r0 : env) (i k : nat) : R := ev r0 (partial (place_of k) (rate_at (place_of i))).
Definition steady_state (nz pz : list E) (x : point) : Prop := exists r0, here x r0 /\ steady nz pz r0.
Definition small_motions (B : nat -> (nat -> nat -> R) -> Prop) (nz pz : list E) (x : point) : Prop :=
  exists r0, here x r0 /\ steady nz pz r0 /\ B (length places) (linearised r0).
Definition steady_b (g : reading) (x : point) : bool :=
  point_ok g x (relations s) &&
  forallb (fun n => all (fun k => existsb (Pos.eqb k) (places ++ parameters s)) (rate_at n) && entry x (rate_at n) q0) places.
Theorem steady_state_ok g x : steady_b g x = true -> steady_state (nz_of g) (pz_of g) x.
Proof.
  unfold steady_b. intros H. apply andb_prop in H as [P H]. rewrite forallb_forall in H. destruct (point_there g x _ P) as [r0 [T [Z G]]].
  exists r0. split; auto. repeat split; auto; try apply G.
  - intros n I. now destruct (andb_prop _ _ (H n I)).
  - intros n I. destruct (andb_prop _ _ (H n I)) as [_ B]. unfold entry in B. destruct (qv x (rate_at n)) as [q|] eqn:Q; [|discriminate B].
    rewrite (qv_ok x r0 T _ _ Q). now apply qzero.
Qed.
Definition matrix_b (x : point) (A : list (list Q)) : bool :=
  all_places (length places) (fun i k => entry x (partial (place_of k) (rate_at (place_of i))) (at_place A i k)).
Lemma matrix_ok x r0 A : here x r0 -> matrix_b x A = true ->
  forall i k, (i < length places)%nat -> (k < length places)%nat -> linearised r0 i k = real_matrix A i k.
Proof.
  intros T H i k I J. unfold matrix_b, all_places in H. rewrite forallb_forall in H.
  specialize (H i (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) I))). rewrite forallb_forall in H.
  specialize (H k (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) J))). unfold entry in H. unfold linearised, real_matrix.
  destruct (qv x _) as [q|] eqn:Q; [|discriminate H]. rewrite (qv_ok x r0 T _ _ Q). now apply Qeq_eqR, Qeq_bool_eq.
Qed.
Lemma solution_same m A B y : (forall i k, (i < m)%nat -> (k < m)%nat -> A i k = B i k) -> solution m A y -> solution m B y.
Proof.
  intros H S t i I. specialize (S t i I). rewrite (sum_on (seq 0 m) _ (fun k => B i k * y t k)) in S; auto.
  intros k J. apply in_seq in J. rewrite H; auto. lia.
Qed.
Theorem small_motions_bounded_ok g x A P kappa d1 l1 d2 l2 :
  steady_b g x && matrix_b x A && bounded_b (length places) A P kappa d1 l1 d2 l2 = true -> small_motions bounded (nz_of g) (pz_of g) x.
Proof.
  intros H. apply andb_prop in H as [H B]. apply andb_prop in H as [S M]. destruct (steady_state_ok g x S) as [r0 [T Z]]. exists r0.
  split; auto. split; auto. destruct (bounded_ok _ _ _ _ _ _ _ _ B) as [c C]. exists c. intros y Y. apply C.
  revert Y. apply solution_same. now apply (matrix_ok x).
Qed.
Theorem small_motions_unbounded_ok g x A P a d l y0 :
  steady_b g x && matrix_b x A && unbounded_b (length places) A P a d l y0 = true -> small_motions unbounded (nz_of g) (pz_of g) x.
Proof.
  intros H. apply andb_prop in H as [H B]. apply andb_prop in H as [S M]. destruct (steady_state_ok g x S) as [r0 [T Z]]. exists r0.
  split; auto. split; auto. destruct (unbounded_ok _ _ _ _ _ _ _ B) as [v C]. exists v. intros y Y. apply C.
  revert Y. apply solution_same. now apply (matrix_ok x).
Qed.
End Steady.
End Kernel.
